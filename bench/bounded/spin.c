/*
 * THREADS threads in a critical section, ROUNDS times each. -DTTAS: a test-and-test-and-set lock, else a ticket lock. -DBUG: the lock is
 * taken by a load and a store instead of one atomic operation.
 */
#include "bounded.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int inside;

#ifdef TTAS
static atomic_int held;

static void enter(void)
{
	for (;;) {
		while (held)
			;
#ifdef BUG
		held = 1;
		return;
#else
		if (!atomic_exchange(&held, 1))
			return;
#endif
	}
}

static void leave(void)
{
	held = 0;
}
#else
static atomic_int next_ticket, serving;

static void enter(void)
{
#ifdef BUG
	int ticket = next_ticket;
	next_ticket = ticket + 1;
#else
	int ticket = next_ticket++;
#endif
	while (serving != ticket)
		;
}

static void leave(void)
{
	serving = serving + 1;
}
#endif

THREAD(worker)
{
	for (int k = 0; k < ROUNDS; k++) {
		enter();
		assert(inside++ == 0);
		inside--;
		leave();
	}
	return NULL;
}

int main(void)
{
	for (int i = 0; i < THREADS; i++)
		start(worker, i);
	join_all();
	return 0;
}
