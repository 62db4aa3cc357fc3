/* Generated code increments a counter in two threads. Its accesses are not seen, and the verdict said nothing of it: complete, one trace. The
 * memory is made executable by mmap or mprotect, by a system call past libc, before the first thread or by a thread. "plain" makes memory that is
 * not executable: the counter is incremented by code of the program.
 * check: complete says=except_for_code_that_the_program_generates : -- mmap
 * check: complete says=except_for_code_that_the_program_generates : -- mprotect
 * check: complete says=except_for_code_that_the_program_generates : -- late
 * check: complete says=except_for_code_that_the_program_generates : -- raw
 * check: complete says=except_for_code_that_the_program_generates : --isolation exec -- late
 * check: complete never=except : -- plain
 * long: complete says=except_for_code_that_the_program_generates : --jobs 2 -- late
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int counter, plain_counter;
static void (*inc)(void);
static const char *how;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void plain(void) { __atomic_fetch_add(&plain_counter, 1, __ATOMIC_SEQ_CST); }

static void make(void)
{
	int all = PROT_READ | PROT_WRITE | PROT_EXEC, *at = &counter;
	int first = strcmp(how, "mmap") ? PROT_READ | PROT_WRITE : all;
	unsigned char *p = mmap(0, 4096, first, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(p, "\x48\xb8", 2); /* movabs $counter,%rax; incl (%rax); ret */
	memcpy(p + 2, &at, 8);
	memcpy(p + 10, "\xff\x00\xc3", 3);
	if (!strcmp(how, "raw"))
		assert(!syscall(SYS_mprotect, p, 4096, all));
	else if (strcmp(how, "plain"))
		assert(!mprotect(p, 4096, all));
	inc = strcmp(how, "plain") ? (void (*)(void))p : plain;
}

static void *w(void *x)
{
	pthread_mutex_lock(&m);
	if (!inc)
		make();
	pthread_mutex_unlock(&m);
	inc();
	return x;
}

int main(int argc, char **argv)
{
	pthread_t t;

	how = argv[1];
	if (strcmp(how, "late"))
		make();
	pthread_create(&t, 0, w, 0);
	w(0);
	pthread_join(t, 0);
	assert(counter + plain_counter == 2);
}
