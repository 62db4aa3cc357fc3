/*
 * The world's store buffers, driven by hand: what enters, when and in which order it may leave, what its thread reads in the meantime, and which
 * operations have to wait. PSO and fences: test_membuf_pso.c.
 */
#include "tests/unit/lib_membuf.h"

/* ---- TSO ---- */

static void first_in_first_out(void **state)
{
	thread_id a = store(1, X, 1);
	assert_int_equal(store(1, Y, 2), a);
	assert_int_equal(store(1, X, 3), a);
	assert_int_equal(word(X) + word(Y), 0);
	update(a);
	assert_int_equal(word(X), 1);
	assert_int_equal(word(Y), 0);
	update(a);
	assert_int_equal(word(X), 1);
	assert_int_equal(word(Y), 2);
	assert_int_equal(seen(1, X), 3);
	update(a);
	assert_int_equal(word(X), 3);
	assert_false(enabled(a));
	assert_int_equal(TRACE.pending[a].kind, EV_NONE);
}

static void agents(void **state)
{
	char text[32];
	thread_id a = store(1, X, 1), b = store(2, Y, 2);
	assert_int_not_equal(a, b);
	assert_int_equal(agent_owner(&names, a), 1);
	assert_string_equal(thread_name_format(&names, b, text, sizeof text), "T0.2~");
	assert_int_equal(TRACE.agents, 2);
	update(b);
	assert_int_equal(word(Y), 2);
	assert_int_equal(word(X), 0);
	update(a);
	assert_int_equal(store(1, Z, 3), a); /* always the same agent */
	update(a);
}

/* An update names the thread of its store and otherwise equals the store. */
static void what_events_contain(void **state)
{
	thread_id a = store_as(1, OPF_ATOMIC | OPF_RELEASE, X, 4, 7);
	struct event stored = ST.event;
	store(1, Y, 9);
	struct event second = ST.event;
	assert_int_equal(stored.flags & EVF_MEMORY, EVF_ATOMIC | EVF_RELEASE);
	assert_int_equal(stored.pc, 0x400 + X);
	mem[X] = 5; /* by an unknown writer */
	update(a);
	assert_memory_equal(ST.event.obj, stored.obj, sizeof stored.obj);
	assert_int_equal(ST.event.span, stored.span);
	assert_int_equal(ST.event.flags, stored.flags);
	assert_int_equal(ST.event.pc, stored.pc);
	assert_int_equal(ST.event.mode[0], M_WRITE);
	assert_int_equal(ST.event.seq, print_of(5, 4));
	assert_int_equal(update_owner(&ST.event), 1);
	assert_int_equal(ST.event.result, (int32_t)stored.seq);
	uint32_t number = update_number(&ST.event), epoch = update_epoch(&ST.event);
	update(a);
	assert_int_equal(ST.event.result, (int32_t)second.seq);
	assert_int_equal(update_number(&ST.event), (number + 1) % UPDATE_NUMBERS);
	assert_int_equal(update_epoch(&ST.event), epoch);
}

/* An access to a wide range has two objects. */
static void wide_stores(void **state)
{
	uint8_t bytes[200], zero[200] = { 0 };
	memset(bytes, 0xab, sizeof bytes);
	perform_store(1, ACCESS(EV_STORE, X + 3, sizeof bytes), bytes);
	thread_id a = (thread_id)ST.event.result;
	assert_int_equal(ST.event.mode[1], M_BUFFER);
	assert_memory_equal(mem + X + 3, zero, sizeof zero);
	load(1, X + 3, sizeof bytes, true);
	assert_int_equal(ST.event.seq, memory_fingerprint(bytes, sizeof bytes));
	load(2, X + 3, sizeof bytes, false);
	assert_int_equal(ST.event.seq, memory_fingerprint(zero, sizeof zero));
	update(a);
	assert_int_equal(ST.event.mode[1], M_WRITE);
	assert_memory_equal(mem + X + 3, bytes, sizeof bytes);
}

/* ---- what a thread sees ---- */

static void forwarding(void **state)
{
	thread_id a = store(1, X, 0x1111111111111111);
	assert_int_equal(load(1, X, 8, true), print_of(0x1111111111111111, 8));
	assert_int_equal(load(2, X, 8, false), print_of(0, 8));
	assert_int_equal(load(1, Y, 8, false), print_of(0, 8));
	store(1, X, 0x2222222222222222); /* the newest store counts */
	assert_int_equal(load(1, X, 8, true), print_of(0x2222222222222222, 8));
	update(a);
	assert_int_equal(load(1, X, 8, true), print_of(0x2222222222222222, 8));
	assert_int_equal(load(2, X, 8, false), print_of(0x1111111111111111, 8));
	update(a);
	assert_int_equal(load(1, X, 8, false), print_of(0x2222222222222222, 8));
}

/* Each byte comes from the newest store that covers it, or from memory. */
static void forwarding_of_bytes(void **state)
{
	uint64_t n = 0xaaaaaaaaaaaaaaaa;
	memcpy(mem + X, &n, 8);
	thread_id a = store_as(1, 0, X, 4, 0x11111111);
	store_as(1, 0, X + 2, 4, 0x22222222);
	store_as(1, 0, X + 3, 1, 0x33);
	assert_int_equal(load(1, X, 8, true), print_of(0xaaaa222233221111, 8));
	assert_int_equal(load(1, X + 6, 2, false), print_of(0xaaaa, 2));
	assert_int_equal(load(1, X + 5, 2, true), print_of(0xaa22, 2));
	assert_int_equal(load(1, X + 3, 1, true), print_of(0x33, 1));
	update(a);
	assert_int_equal(word(X), 0xaaaaaaaa11111111);
	assert_int_equal(load(1, X, 8, true), print_of(0xaaaa222233221111, 8));
	assert_int_equal(load(1, X, 2, false), print_of(0x1111, 2));
	n = 0xbbbbbbbbbbbbbbbb; /* another thread's store reaches memory in between */
	memcpy(mem + X, &n, 8);
	assert_int_equal(load(1, X, 8, true), print_of(0xbbbb22223322bbbb, 8));
	update(a);
	assert_int_equal(word(X), 0xbbbb22222222bbbb);
	update(a);
	assert_int_equal(word(X), 0xbbbb22223322bbbb);
}

static void shown_and_hidden(void **state)
{
	thread_id a = store(1, X, 1), b = store(2, X, 2);
	assert_int_equal(seen(1, X), 1);
	assert_int_equal(seen(2, X), 2);
	assert_int_equal(seen(3, X), 0);
	assert_int_equal(word(X), 0);
	update(a);
	assert_int_equal(seen(2, X), 2);
	assert_int_equal(seen(3, X), 1);
	assert_int_equal(seen(1, X), 1);
	update(b);
	assert_int_equal(seen(1, X), 2);
	/* Showing twice and hiding twice has the effect of once. */
	a = store(1, X, 5);
	world_show_buffer(W, 1);
	world_show_buffer(W, 1);
	assert_int_equal(word(X), 5);
	world_hide_buffer(W, 1);
	world_hide_buffer(W, 1);
	assert_int_equal(word(X), 2);
	update(a);
	assert_int_equal(word(X), 5);
}

/* Unannounced code writes over a buffered store: the store takes the written bytes. Bytes beyond it go to memory. */
static void unseen_writes(void **state)
{
	uint64_t n = 0x7777777777777777;
	thread_id a = store(1, X, 1);
	store_as(1, 0, X + 4, 4, 2);
	write_unseen(1, X + 2, &n, 8);
	assert_int_equal(word(X), 0);
	assert_int_equal(word(X + 8), 0x7777); /* the bytes beyond */
	assert_int_equal(seen(1, X), 0x7777777777770001);
	update(a); /* the newest store has the bytes from X + 4 on; this store has those before */
	assert_int_equal(word(X), 0x77770001);
	update(a);
	assert_int_equal(word(X), 0x7777777777770001);
}

/* A store announced in pieces is performed only after the last piece. Until then its updates are not enabled. */
static void pieces(void **state)
{
	uint64_t n = 0x1122334455667788;
	perform_store(1, ACCESS(EV_STORE, X, 8), &n);
	thread_id a = (thread_id)ST.event.result;
	struct op piece = ACCESS(EV_STORE, Y, 8);
	piece.more = 1;
	say(1, piece);
	go(1);
	world_show_buffer(W, 1);
	assert_int_equal(word(X), n);
	world_hide_buffer(W, 1);
	assert_int_equal(word(X), 0);
	update(a);
	assert_false(enabled(a)); /* the stored value is not known yet */
	uint64_t two[2] = { 3, 4 };
	say(1, ACCESS(EV_STORE, Y + 8, 8));
	go(1);
	write_unseen(1, Y, two, sizeof two);
	assert_int_equal(word(Y) + word(Y + 8), 0);
	update(a);
	assert_int_equal(word(Y), 3);
	assert_int_equal(word(Y + 8), 0);
	update(a);
	assert_int_equal(word(Y + 8), 4);
}

/* A buffered store to a frame that has ended does not overwrite what other code put there: not while the buffer is hidden, not when it is
   shown again, and not when the store reaches memory. */
static void popped(void **state)
{
	thread_id whole = store(1, X, 0x1111111111111111), part = store(1, Y, 0x2222222222222222);
	uint64_t live = 0x3333333333333333;
	write_unseen(1, X, &live, 8);
	world_show_buffer(W, 1);
	world_pop_stack(W, 1, BASE + X, BASE + X + 8);
	world_pop_stack(W, 1, BASE + Y, BASE + Y + 4);
	world_hide_buffer(W, 1);
	assert_int_equal(word(X), live);
	assert_int_equal(word(Y), 0x22222222);
	live = 0x4444444444444444;
	memcpy(mem + X, &live, 8);
	memcpy(mem + Y, &live, 4);
	assert_int_equal(seen(1, X), live);
	assert_int_equal(seen(1, Y), 0x2222222244444444);
	assert_int_equal(word(Y), 0x44444444);
	update(whole);
	update(part);
	assert_int_equal(word(X), live);
	assert_int_equal(word(Y), 0x2222222244444444);
}

/* ---- what waits ---- */

static void waits_for_drain(unsigned t, struct op op)
{
	thread_id a = store(t, X, 1), b = store(t, Y, 2); /* PSO: two agents */
	say(t, op);
	assert_int_equal(alts(t), 0);
	update(a);
	assert_int_equal(alts(t), 0);
	update(b);
	assert_int_equal(alts(t), 1u << ALT_NORMAL);
	go(t);
	while (ST.outcome == STEP_MORE)
		go(t);
	if (ST.event.obj[0] && object_is_memory(ST.event.obj[0]))
		world_show_buffer(W, (thread_id)t), world_hide_buffer(W, (thread_id)t);
}

static void draining_operations_wait(void **state)
{
	object_id m = O(OBJ_MUTEX, 0), s = O(OBJ_SEM, 0), r = O(OBJ_RWLOCK, 0), c = O(OBJ_COND, 0), once = O(OBJ_ONCE, 0);
	waits_for_drain(1, OP(EV_MUTEX_LOCK, m));
	waits_for_drain(1, OP(EV_MUTEX_UNLOCK, m));
	waits_for_drain(1, OP(EV_MUTEX_TRYLOCK, m));
	waits_for_drain(1, OP(EV_COND_SIGNAL, c));
	waits_for_drain(1, OP(EV_MUTEX_UNLOCK, m));
	waits_for_drain(1, OP(EV_RW_RDLOCK, r));
	waits_for_drain(1, OP(EV_RW_RDUNLOCK, r));
	waits_for_drain(1, ARG(OP(EV_SEM_POST, s), 0, 1));
	waits_for_drain(1, OP(EV_SEM_WAIT, s));
	waits_for_drain(1, OP(EV_ONCE_ENTER, once));
	waits_for_drain(1, OP(EV_ONCE_DONE, once));
	waits_for_drain(1, OP(EV_YIELD, 0));
	waits_for_drain(1, OP(EV_SLEEP, 0));
	waits_for_drain(1, OP(EV_FENCE, 0));
	waits_for_drain(1, ACCESS(EV_RMW, Z, 8));
	waits_for_drain(1, ACCESS(EV_RMW, X, 8));
	waits_for_drain(1, FLAGGED(ACCESS(EV_STORE, Z, 8), OPF_DRAINS));
	assert_int_equal(ST.event.mode[0], M_WRITE);
	waits_for_drain(1, OP(EV_THREAD_CREATE, 0));
	waits_for_drain(1, OP(EV_THREAD_EXIT, O(OBJ_THREAD, 1)));
	waits_for_drain(2, OP(EV_THREAD_JOIN, O(OBJ_THREAD, 1)));
}

/* Loads and stores do not wait, and other threads do not wait either. */
static void other_operations_do_not_wait(void **state)
{
	store(1, X, 1);
	load(1, X, 8, true);
	load(1, Y, 8, false);
	store(1, X, 2);
	run(2, ACCESS(EV_RMW, Y, 8));
	lock(2, 1);
	unlock(2, 1);
	run(2, OP(EV_THREAD_EXIT, O(OBJ_THREAD, 2)));
}

/* The end of the process waits for the stores of all threads. */
static void exit_waits_for_all(void **state)
{
	thread_id a = store(1, X, 1), b = store(2, Y, 2), c = store(0, Z, 3);
	say(0, OP(EV_EXIT, 0));
	assert_int_equal(alts(0), 0);
	update(a);
	update(c);
	assert_int_equal(alts(0), 0);
	update(b);
	assert_int_equal(alts(0), 1u << ALT_NORMAL);
	go(0);
	assert_int_equal(ST.outcome, STEP_OVER);
	assert_int_equal(word(X) + word(Y) + word(Z), 6);
}

/* A thread that locks a mutex needs both: the mutex free and its buffer empty. */
static void both_are_needed(void **state)
{
	lock(2, 1);
	thread_id a = store(1, X, 1);
	say(1, OP(EV_MUTEX_LOCK, O(OBJ_MUTEX, 1)));
	assert_int_equal(alts(1), 0);
	update(a);
	assert_int_equal(alts(1), 0);
	unlock(2, 1);
	assert_int_equal(alts(1), 1u << ALT_NORMAL);
	go(1);
}

/* Signal handlers do not run before the stores are in memory. */
static void alternatives_wait(void **state)
{
	thread_id a = store(1, X, 1);
	say(1, ACCESS(EV_LOAD, Y, 8));
	world_set_signal_pending(W, 1, true);
	assert_int_equal(alts(1), 1u << ALT_NORMAL);
	update(a);
	assert_int_equal(alts(1), 1u << ALT_NORMAL | 1u << ALT_SIGNAL);
	go(1);
}

/* ---- limits ---- */

/* Update numbers wrap around, so a buffer refuses a store that is too far from its oldest one. */
static void full_buffers(void **state)
{
	unsigned n = 0;
	thread_id a = NO_THREAD;
	for (;; n++) {
		say(1, ACCESS(EV_STORE, X, 1));
		if (!alts(1))
			break;
		go(1);
		a = (thread_id)ST.event.result;
		write_unseen(1, X, &n, 1);
		assert_true(n < UPDATE_NUMBERS);
	}
	assert_true(n >= 100 && n < UPDATE_NUMBERS / 2);
	update(a);
	assert_int_equal(alts(1), 1u << ALT_NORMAL);
	go(1);
	uint8_t last = 200;
	write_unseen(1, X, &last, 1);
	while (enabled(a))
		update(a);
	assert_int_equal(mem[X], last);
}

static void full_of_fences(void **state)
{
	unsigned n = 0;
	thread_id a = store_as(1, 0, X, 1, 1);
	for (;; n++) {
		world_release_fence(W, 1);
		say(1, ACCESS(EV_STORE, Y, 1));
		if (!alts(1))
			break;
		go(1);
		write_unseen(1, Y, &n, 1);
		assert_true(n < UPDATE_EPOCHS);
	}
	assert_true(n < UPDATE_EPOCHS / 2);
	update(a);
	assert_int_equal(alts(1), 1u << ALT_NORMAL);
}

/* All memory is freed. */
static void all_memory_is_freed(void **state)
{
	for (unsigned k = 0; k < 20000; k++) /* more than the arena could hold */
		update(store(1, X, k));
}

/* ---- SC ---- */

static void no_buffers(void **state)
{
	uint64_t n = 5;
	say(1, ACCESS(EV_STORE, X, 8));
	go(1);
	assert_int_equal(ST.event.mode[0], M_WRITE);
	write_unseen(1, X, &n, 8);
	assert_int_equal(word(X), 5);
	assert_int_equal(TRACE.agents, 0);
	assert_false(world_fence_needed(W, 1));
	assert_int_equal(load(2, X, 8, false), print_of(5, 8));
}

/* The bit that says "timed out" in other events has another meaning in memory accesses: none of these accesses times out. */
static void never_late(void **state)
{
	static const unsigned kinds[] = { EV_LOAD, EV_STORE, EV_RMW };
	struct choice c;
	for (unsigned i = 0; i < 3; i++)
		say(i + 1, FLAGGED(ACCESS(kinds[i], X, 8), OPF_PLAIN | OPF_ATOMIC | OPF_ACQUIRE | OPF_RELEASE | OPF_DRAINS));
	assert_int_equal(world_late(W, &c), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(first_in_first_out, tso), T(agents, tso), BOTH(wide_stores), BOTH(forwarding), T(forwarding_of_bytes, tso),
		T(what_events_contain, tso), BOTH(shown_and_hidden), T(unseen_writes, tso), T(pieces, tso), BOTH(popped), T(draining_operations_wait, pso),
		BOTH(other_operations_do_not_wait), BOTH(exit_waits_for_all), BOTH(both_are_needed), BOTH(alternatives_wait),
		BOTH(full_buffers), T(full_of_fences, pso), BOTH(all_memory_is_freed), T(no_buffers, sc), T(never_late, sc),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
