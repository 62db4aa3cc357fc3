/* Threads of GNU Pth that wait for time and for a pipe; with POLLS, one that waits for another one by yielding. */
#include <pth.h>
#include <unistd.h>

static int ends[2];
static volatile int done;

#ifdef POLLS
static void *poll_done(void *arg)
{
	while (!done)
		pth_yield(NULL);
	return arg;
}

static void *set_done(void *arg)
{
	done = 1;
	return arg;
}

static void *(*const run[])(void *) = { poll_done, set_done };
#else
static void *sleeps(void *arg)
{
	pth_usleep(1000);
	return arg;
}

static void *reads(void *arg)
{
	char c;
	done = pth_read(ends[0], &c, 1) == 1;
	return arg;
}

static void *writes(void *arg)
{
	pth_yield(NULL);
	return pth_write(ends[1], "x", 1) == 1 ? arg : NULL;
}

static void *(*const run[])(void *) = { sleeps, reads, writes };
#endif

#define THREADS (sizeof run / sizeof run[0])

int main(void)
{
	pth_t thread[THREADS];
	pth_init();
	if (pipe(ends))
		return 1;
	for (size_t i = 0; i < THREADS; i++)
		thread[i] = pth_spawn(PTH_ATTR_DEFAULT, run[i], NULL);
	for (size_t i = 0; i < THREADS; i++)
		pth_join(thread[i], NULL);
	return !done;
}
