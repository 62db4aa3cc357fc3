/*
 * Threads of GNU Pth. main creates THREADS threads and joins them in the order of their creation. Each thread consists
 * of pieces: it runs until it yields, waits or ends. The number of orders of the pieces, main's own ones included:
 *
 * THREADS=1         1: only one thread is ready at each point.
 * THREADS=2         3: A, main, B; A, B, main; B, A, main.
 * THREADS=3, 4, 5  13, 73, 501: the ways to divide 3, 4, 5 threads into lists. A list is what runs between two pieces
 *                  of main, in this order. It contains the first thread that is left, since main waits for that one.
 * THREADS=2 YIELD  10: A1 A2 and B1 B2 have 6 orders. Where A2 comes last (3 of them) main runs afterwards. Where A2
 *                  comes before B2, main has a piece anywhere behind A2: 3 places for A1 A2 B1 B2, 2 for A1 B1 A2 B2,
 *                  2 for B1 A1 A2 B2.
 * THREADS=2 MUTEX   8: each thread holds the mutex while it yields. A first: the other one tries in between or not,
 *                  and main has 3 places behind the end of A; 6. B first: main waits for A, so only A's try is open; 2.
 * THREADS=2 URGENT  3: the priority of B decides Pth's own order only.
 */
#include <pth.h>
#include <stdio.h>

#ifdef MUTEX
static pth_mutex_t lock = PTH_MUTEX_INIT;
#endif

static void *run(void *name)
{
	(void)name;
#ifdef MUTEX
	pth_mutex_acquire(&lock, FALSE, NULL);
#endif
#if defined YIELD || defined MUTEX
	pth_yield(NULL);
#endif
#ifdef MUTEX
	pth_mutex_release(&lock);
#endif
	return NULL;
}

int main(void)
{
	pth_t thread[THREADS];
	pth_init();
	pth_attr_t attributes = pth_attr_new();
	for (int i = 0; i < THREADS; i++) {
		char name[] = { (char)('A' + i % 26), 0 };
		pth_attr_set(attributes, PTH_ATTR_NAME, name);
#ifdef URGENT
		pth_attr_set(attributes, PTH_ATTR_PRIO, i);
#endif
		thread[i] = pth_spawn(attributes, run, NULL);
		if (!thread[i])
			return 1;
	}
	for (int i = 0; i < THREADS; i++)
		if (!pth_join(thread[i], NULL))
			return 2;
	return 0;
}
