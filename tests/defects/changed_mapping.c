/*
 * A call takes memory away, or replaces what it holds, while another thread uses it. Each was "complete", with one trace. The first argument is the call; the
 * second one:
 *
 *   before     the thread makes the call, the first thread accesses the memory
 *   after      the other way round: another order is the first one
 *   joined     the access comes when the thread has ended, and the call is made by it on a page that it does not share with the access: one trace
 *
 * After `dontneed`, `replaced` and `dontunmap` the memory holds 0, which the program asserts not to see.
 *
 *   counted    the thread replaces the page, and the first thread writes and reads it: three traces
 *
 * check: bug kind=crash says=SIGSEGV never=in_simul's_code replays=5 : -- munmap before
 * check: bug kind=crash says=SIGSEGV : -- munmap after
 * check: complete traces=1 : -- munmap joined
 * check: bug kind=crash says=SIGSEGV : -- mremap before
 * check: bug kind=crash says=SIGSEGV : --model tso -- mremap after
 * check: complete traces=1 : -- mremap joined
 * check: bug kind=crash says=SIGSEGV : -- shrunk before
 * check: bug kind=crash says=SIGSEGV : -- shrunk after
 * long: complete traces=1 : -- shrunk joined
 * check: bug kind=crash says=SIGSEGV : -- mprotect before
 * check: bug kind=crash says=SIGSEGV : -- mprotect after
 * long: complete traces=1 : -- mprotect joined
 * check: bug kind=crash says=SIGSEGV : -- twice before
 * check: bug kind=crash says=SIGSEGV : -- brk before
 * check: bug kind=crash says=SIGSEGV : -- brk after
 * long: complete traces=1 : -- brk joined
 * check: bug kind=assert : -- dontneed before
 * check: bug kind=assert : -- dontneed after
 * check: complete traces=1 : -- dontneed joined
 * check: bug kind=assert : -- replaced before
 * check: bug kind=assert : -- replaced after
 * long: complete traces=1 : -- replaced joined
 * check: bug kind=assert : -- dontunmap before
 * check: bug kind=assert : -- dontunmap after
 * check: bug kind=crash : -- target before
 * check: bug kind=crash : -- target after
 * check: complete traces=3 : -- replaced counted
 * check: complete traces=3 : --strategy optimal -- replaced counted
 * check: complete says=except_for_the_order_of_calls_that_change : --strategy trust -- replaced counted
 * check: complete says=the_order_of_calls_that_change : --preemptions 2 -- replaced counted
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

static volatile char *p; /* the second one of four pages */
static const char *how;
static volatile char sink;

static int is(const char *name)
{
	return !strcmp(how, name);
}

static void *call(void *at)
{
	char *q = at;

	if (is("munmap"))
		munmap(q, PAGE);
	else if (is("twice"))
		munmap(q, PAGE), munmap(q, PAGE);
	else if (is("mremap"))
		mremap(q, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, q + PAGE);
	else if (is("shrunk"))
		mremap(q - PAGE, 2 * PAGE, PAGE, 0);
	else if (is("mprotect"))
		mprotect(q, PAGE, PROT_NONE);
	else if (is("brk"))
		sbrk(-2 * PAGE);
	else if (is("dontneed"))
		madvise(q, PAGE, MADV_DONTNEED);
	else if (is("replaced"))
		mmap(q, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	else if (is("dontunmap"))
		mremap(q, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
	else
		mremap(q + PAGE, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, q), mprotect(q, PAGE, PROT_NONE);
	return NULL;
}

static void *use(void *at)
{
	volatile char *q = at;
	char c = *q;

	if (is("dontneed") || is("replaced") || is("dontunmap"))
		assert(c == 1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	how = argv[1];
	if (is("brk")) {
		char *end = sbrk(0);

		sbrk((PAGE - (long)end % PAGE) % PAGE + 4 * PAGE);
		p = (char *)sbrk(0) - PAGE;
	} else {
		p = (volatile char *)mmap(0, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + PAGE;
	}
	*p = 1;
	p[is("brk") ? -3 * PAGE : 2 * PAGE] = 1;
	if (!strcmp(argv[2], "after")) {
		pthread_create(&t, 0, use, (void *)p);
		call((void *)p);
	} else {
		pthread_create(&t, 0, call, (void *)p);
		if (!strcmp(argv[2], "before"))
			use((void *)p);
		else if (!strcmp(argv[2], "counted"))
			*p = 2, sink = *p;
		else
			use((void *)(p + (is("brk") ? -3 * PAGE : 2 * PAGE)));
	}
	pthread_join(t, 0);
	return 0;
}
