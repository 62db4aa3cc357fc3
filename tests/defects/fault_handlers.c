/* Handlers of faults that lock a mutex, so that another thread faults while one runs. They ran on the one signal stack of simul, where the second
 * fault overwrote the first: a crash was reported that cannot happen. "pages": the handler makes a page accessible. "overflow": a stack overflows, and
 * the handler jumps back, on an alternate stack. "skip": it leaves out the instruction, and sets a register.
 * build: gcc -g -O0 -pthread
 * check: complete traces=2 : -- pages
 * check: complete traces=2 : --isolation exec -- pages
 * check: complete traces=2 : --threads kernel -- pages
 * check: complete traces=2 : --model tso -- pages
 * check: complete traces=2 : SIMUL_TEST_FS=lazy -- pages
 * check: complete traces=2 : -- overflow
 * check: complete traces=2 : SIMUL_TEST_FS=lazy -- overflow
 * check: complete traces=2 : -- skip
 * check: bug kind=crash replays=5 : -- no_room
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE 4096

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int handled;
static const char *mode;
static __thread sigjmp_buf back;

static void count(void)
{
	pthread_mutex_lock(&m);
	handled++;
	pthread_mutex_unlock(&m);
}

static void handler(int sig, siginfo_t *info, void *context)
{
	char *page = (char *)((uintptr_t)info->si_addr & -(uintptr_t)PAGE);
	volatile char mine[600];
	ucontext_t *uc = context;

	memset((char *)mine, (int)pthread_self(), sizeof(mine));
	count();
	for (size_t i = 0; i < sizeof(mine); i++)
		if (mine[i] != (char)pthread_self())
			abort();
	if (sig == SIGILL) {
		uc->uc_mcontext.gregs[REG_RIP] += 2;
		uc->uc_mcontext.gregs[REG_RAX] = 7;
	} else if (!strcmp(mode, "pages")) {
		mprotect(page, PAGE, PROT_READ | PROT_WRITE);
	} else {
		siglongjmp(back, 1);
	}
}

static int deep(int k)
{
	volatile char here[PAGE];

	here[0] = (char)k;
	return k < 0 ? 0 : deep(k + 1) + here[0];
}

static void *body(void *page)
{
	stack_t other = {.ss_sp = malloc(65536), .ss_size = 65536};
	double half = 0.5;
	long result = 0;

	if (!strcmp(mode, "pages")) {
		*(volatile char *)page = 1;
	} else if (!strcmp(mode, "skip")) {
		__asm__ volatile("xor %%eax, %%eax\n\tud2" : "=a"(result));
		result += (long)(half * 6); /* vector registers are as before */
	} else {
		if (!strcmp(mode, "overflow"))
			sigaltstack(&other, NULL);
		if (!sigsetjmp(back, 1))
			deep(0);
	}
	return (void *)result;
}

int main(int argc, char **argv)
{
	struct sigaction sa = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	pthread_t t[2];
	void *result;

	mode = argv[1];
	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGILL, &sa, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, body, mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	for (int i = 0; i < 2; i++) {
		pthread_join(t[i], &result);
		if (!strcmp(mode, "skip") && (long)result != 10)
			return 2;
	}
	return handled != 2;
}
