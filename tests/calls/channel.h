/*
 * Channels of unsigned numbers. CHANNEL_KIND is LOCKED: a pthread mutex and a condition variable. Or CODE: atomic accesses and a parked thread, as in Rust's std, in functions with
 * names that simul takes as one step. OTHER_PARK: the function that parks has another name. OWN_BLOCK: what it waits for is in the channel. MODULE:
 * another module than std's.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stdatomic.h>
#include <stdlib.h>

#define LOCKED 1
#define CODE 2

#define ROOM 8
#define CLOSED ((unsigned)-1)
#define EMPTY ((unsigned)-2)

#if CHANNEL_KIND == LOCKED
#include <pthread.h>

struct channel {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned n, value[ROOM], senders, signalled;
};

static struct channel *channel_new(unsigned senders)
{
	struct channel *c = calloc(1, sizeof(*c));

	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	c->senders = senders;
	return c;
}

static unsigned take_first(struct channel *c)
{
	unsigned first = c->value[0];

	c->n--;
	for (unsigned i = 0; i < c->n; i++)
		c->value[i] = c->value[i + 1];
	return first;
}

static void channel_send(struct channel *c, unsigned value)
{
	pthread_mutex_lock(&c->lock);
	c->value[c->n++] = value;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

static unsigned channel_receive(struct channel *c)
{
	unsigned value;

	pthread_mutex_lock(&c->lock);
	while (!c->n && c->senders)
		pthread_cond_wait(&c->changed, &c->lock);
	value = c->n ? take_first(c) : CLOSED;
	pthread_mutex_unlock(&c->lock);
	return value;
}

static unsigned channel_try(struct channel *c)
{
	unsigned value;

	pthread_mutex_lock(&c->lock);
	value = c->n ? take_first(c) : c->senders ? EMPTY : CLOSED;
	pthread_mutex_unlock(&c->lock);
	return value;
}

static void channel_close(struct channel *c)
{
	pthread_mutex_lock(&c->lock);
	c->senders--;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

/* Calls `each` for the messages, which are removed. It may wait, and others may use the channel meanwhile. */
static void channel_discard(struct channel *c, void (*each)(unsigned))
{
	unsigned value;

	while ((value = channel_try(c)) < EMPTY)
		each(value);
}

static void channel_signal(struct channel *c)
{
	pthread_mutex_lock(&c->lock);
	c->signalled = 1;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

/* Waits for channel_signal. */
static void channel_await(struct channel *c)
{
	pthread_mutex_lock(&c->lock);
	while (!c->signalled)
		pthread_cond_wait(&c->changed, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

static unsigned channel_look(struct channel *c)
{
	unsigned n;

	pthread_mutex_lock(&c->lock);
	n = c->n;
	pthread_mutex_unlock(&c->lock);
	return n;
}
#else
#include <linux/futex.h>
#include <setjmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PARKED ((unsigned)-1)
#define NOTIFIED 1
#define RECEIVERS 3

/* The linker's names, which base/runtimes.def has patterns for. */
#ifndef MODULE
#define MODULE "3std4sync4mpmc"
#endif
#define STEP(name) __asm__("_ZN" MODULE "4test7Channel" name) __attribute__((noinline))
#ifdef OTHER_PARK
#define PARK __attribute__((noinline))
#else
#define PARK __asm__("_ZN3std6thread4park17h0123456789abcdefE") __attribute__((noinline))
#endif

struct channel {
	atomic_uint lock, n, senders, waiting, signalled;
	unsigned value[ROOM];
	atomic_uint *waits[RECEIVERS], parkers[RECEIVERS];
};

static _Thread_local long self; /* the number of the thread */

static _Thread_local atomic_uint *parker; /* in memory of the heap, which other threads may read when this one has ended */

static struct channel *channel_new(unsigned senders)
{
	struct channel *c = calloc(1, sizeof(*c));

	c->senders = senders;
	return c;
}

static void park(void) PARK;
static void park(void)
{
	unsigned notified = NOTIFIED;

	if (atomic_fetch_sub(parker, 1) == NOTIFIED)
		return;
	do {
		while (atomic_load(parker) == PARKED)
			syscall(SYS_futex, parker, FUTEX_WAIT_PRIVATE, PARKED, NULL, NULL, 0);
		notified = NOTIFIED;
	} while (!atomic_compare_exchange_strong(parker, &notified, 0));
}

static void unpark(atomic_uint *p)
{
	if (atomic_exchange(p, NOTIFIED) == PARKED)
		syscall(SYS_futex, p, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void enter(struct channel *c)
{
	unsigned unlocked = 0;

	while (!atomic_compare_exchange_strong(&c->lock, &unlocked, 1))
		unlocked = 0;
}

static void leave(struct channel *c)
{
	atomic_store(&c->lock, 0);
}

static void wake_all(struct channel *c)
{
	while (c->waiting)
		unpark(c->waits[--c->waiting]);
}

static unsigned take_first(struct channel *c)
{
	unsigned first = c->value[0], n = --c->n;

	for (unsigned i = 0; i < n; i++)
		c->value[i] = c->value[i + 1];
	return first;
}

static void channel_send(struct channel *c, unsigned value) STEP("4sendE");
static void channel_send(struct channel *c, unsigned value)
{
	enter(c);
	c->value[c->n] = value;
	c->n++;
	wake_all(c);
	leave(c);
}

static unsigned channel_try(struct channel *c) STEP("8try_recvE");
static unsigned channel_try(struct channel *c)
{
	unsigned value;

	enter(c);
	value = c->n ? take_first(c) : c->senders ? EMPTY : CLOSED;
	leave(c);
	return value;
}

static void wait_for_change(struct channel *c) STEP("4waitE");
static void wait_for_change(struct channel *c)
{
	bool again;

#ifdef OWN_BLOCK
	parker = &c->parkers[self];
#else
	if (!parker)
		parker = calloc(1, sizeof(*parker));
#endif
	enter(c);
	again = !c->n && c->senders;
	if (again) {
		c->waits[c->waiting] = parker;
		c->waiting++;
	}
	leave(c);
	if (again)
		park();
}

/* Calls functions of its own kind, and leaves by a jump to one of them where the compiler makes one. */
static unsigned channel_receive(struct channel *c) STEP("4recvE");
static unsigned channel_receive(struct channel *c)
{
	unsigned value = channel_try(c);

	if (value != EMPTY)
		return value;
	wait_for_change(c);
	return channel_receive(c);
}

static void channel_close(struct channel *c) STEP("7releaseE");
static void channel_close(struct channel *c)
{
	enter(c);
	c->senders--;
	wake_all(c);
	leave(c);
}

static void channel_discard(struct channel *c, void (*each)(unsigned)) STEP("7discardE");
static void channel_discard(struct channel *c, void (*each)(unsigned))
{
	unsigned value;

	while ((value = channel_try(c)) < EMPTY)
		each(value);
}

static void channel_signal(struct channel *c) STEP("6signalE");
static void channel_signal(struct channel *c)
{
	atomic_store(&c->signalled, 1);
}

/* This is no single step, whatever its name says: it waits for another call. */
static void channel_await(struct channel *c) STEP("5awaitE");
static void channel_await(struct channel *c)
{
	unsigned signalled = 1;

	while (!atomic_compare_exchange_strong(&c->signalled, &signalled, 1))
		signalled = 1;
}

/* Leaves without a return. */
static void jump_out(struct channel *c, jmp_buf to) STEP("4jumpE");
static void jump_out(struct channel *c, jmp_buf to)
{
	longjmp(to, (int)c->n + 1);
}

static unsigned channel_look(struct channel *c)
{
	jmp_buf here;
	int n = setjmp(here);

	if (!n)
		jump_out(c, here);
	return (unsigned)n - 1;
}
#endif
#endif
