/* A handler of SIGSEGV on an alternate stack, which makes steps itself: other threads run while its frame is there.
   It gets the faults of the program and no others. The argument is the number of threads. */
#include "own.h"

#include <signal.h>
#include <sys/mman.h>

static __thread long mine;
static char *page;
static int faults;

static void handler(int sig, siginfo_t *si, void *context)
{
	volatile long kept[64];
	long me = mine;
	for (int i = 0; i < 64; i++)
		kept[i] = me;
	for (int i = 0; i < 3; i++)
		step();
	assert(mine == me && (char *)si->si_addr == page + 100);
	for (int i = 0; i < 64; i++)
		assert(kept[i] == me);
	faults++;
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void *thread(void *arg)
{
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	mine = (long)arg;
	if (mine == 1) {
		sigaltstack(&stack, NULL);
		page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		page[100] = 1;
		assert(faults == 1);
		munmap(page, 4096);
	}
	for (int i = 0; mine != 1 && i < 3; i++)
		step();
	assert(mine == (long)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction sa = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	threads = argc > 1 ? atoi(argv[1]) : THREADS;
	sigaction(SIGSEGV, &sa, NULL);
	in_threads(thread);
	return 0;
}
