/*
 * The explorer's assumptions, checked on random states of the world:
 *
 * - A preview is the event that the step makes, and previewing changes nothing.
 * - Two enabled choices with independent previews can run in either order. Their events are the same in both orders, and the resulting states
 * cannot be distinguished.
 * - An event that enables, disables or changes an operation of another thread depends on it, both as it was and as it becomes.
 *
 * Failures print the seed. SEED=n starts there; WALK_PAIRS=n sets the number of pairs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_valid.h"
#include "tests/unit/lib_walk.h"

static struct walk k;
static struct walk_save here;
static uint64_t mentioned; /* pairs tried for independence */

static uint64_t number_from(const char *name, uint64_t usual)
{
	const char *s = getenv(name);
	return s ? strtoull(s, NULL, 0) : usual;
}

static void print(const char *what, struct event e)
{
	print_message("  %-10s T%u %s %s obj %x:%u %x:%u seq %u result %d flags %u\n", what, e.thread,
		event_kind_text(e.kind), alternative_text(e.alt), e.obj[0], e.mode[0], e.obj[1], e.mode[1], e.seq,
		e.result, e.flags);
}

static bool same(struct event a, struct event b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

static struct event preview(struct choice c)
{
	struct event e;
	world_preview(k.w, c, &e);
	return e;
}

static bool still_enabled(struct choice c)
{
	return world_alternatives(k.w, c.thread) & 1u << c.alt;
}

/* ---- the step equals the preview ---- */

static void preview_is_step(void **state)
{
	uint64_t seed = test_seed(1), r = seed;
	uint32_t steps = 0;
	for (; steps < 20000; seed++) {
		struct choice c[WALK_CHOICES];
		unsigned n;
		walk_start(&k, seed);
		while ((n = walk_choices(&k, c))) {
			walk_save(&k, &here);
			for (unsigned i = 0; i < n; i++) {
				struct event p = preview(c[i]);
				assert_memory_equal(here.arena, k.arena, here.bytes);
				assert_memory_equal(here.pending, k.pending, sizeof here.pending);
				walk_step(&k, c[i]);
				if (memcmp(&p, &k.last_event, sizeof p) != 0) {
					print("preview", p);
					print("event", k.last_event);
					fail_msg("seed %llu: the event is not what the preview said",
						(unsigned long long)seed);
				}
				world_valid(k.w);
				walk_restore(&k, &here);
			}
			walk_step(&k, c[walk_random(&r) % n]);
			steps++;
		}
	}
}

/* ---- the pending event equals what would happen ---- */

static void pending_is_refreshed(void **state)
{
	uint64_t r = 7;
	for (uint64_t seed = 1; seed < 400; seed++) {
		struct choice c[WALK_CHOICES];
		unsigned n;
		walk_start(&k, seed);
		while ((n = walk_choices(&k, c))) {
			for (unsigned t = 0; t < k.trace.threads; t++) {
				const struct op *op = world_pending(k.w, (thread_id)t);
				assert_int_equal(op != NULL, k.pending[t].kind != EV_NONE);
			}
			for (unsigned i = 0; i < n; i++) {
				assert_true(k.alts[c[i].thread] & 1u << c[i].alt);
				struct event p = preview(c[i]);
				const struct event *q = &k.pending[c[i].thread];
				if (c[i].alt != ALT_NORMAL || (p.flags & EVF_FAILED) ||
					(k.alts[c[i].thread] & 1u << ALT_CANCEL))
					continue;
				assert_memory_equal(&p, q, sizeof p);
			}
			walk_step(&k, c[walk_random(&r) % n]);
		}
	}
}

/* ---- independence ---- */

#define ON 12 /* steps after the two */

struct order {
	struct event first, second;
	struct event on[ON];
	unsigned misuse;
	bool possible;
	struct walk_view view;
};
static struct order order[2];

/* Differences in the hidden state show later, so both orders continue with the same random choices. */
static void go_on(struct order *o, uint64_t r)
{
	struct choice c[WALK_CHOICES];
	unsigned n;
	memset(o->on, 0, sizeof o->on);
	for (unsigned i = 0; i < ON && (n = walk_choices(&k, c)); i++) {
		walk_step(&k, c[walk_random(&r) % n]);
		o->on[i] = walk_plain(&k, k.last_event);
		o->on[i].pc = k.last_misuse;
	}
}

static void run_order(struct choice a, struct choice b, struct order *o)
{
	walk_restore(&k, &here);
	walk_step(&k, a);
	o->first = walk_plain(&k, k.last_event);
	o->misuse = k.last_misuse;
	o->possible = k.last_misuse || still_enabled(b);
	if (!o->possible || k.last_misuse)
		return;
	walk_step(&k, b);
	o->second = walk_plain(&k, k.last_event);
	o->misuse = k.last_misuse;
	if (k.last_misuse)
		return;
	walk_look(&k, &o->view);
	go_on(o, mentioned);
}

static void complain(uint64_t seed, struct choice a, struct choice b, const char *what)
{
	walk_restore(&k, &here);
	print_message("seed %llu: %s\n", (unsigned long long)seed, what);
	print("a", walk_plain(&k, preview(a)));
	print("b", walk_plain(&k, preview(b)));
	print("a, then b:", order[0].first);
	print("", order[0].second);
	print("b, then a:", order[1].first);
	print("", order[1].second);
	for (unsigned i = 0; i < ON; i++)
		if (memcmp(&order[0].on[i], &order[1].on[i], sizeof order[0].on[i])) {
			print("later a b", order[0].on[i]);
			print("later b a", order[1].on[i]);
		}
	for (unsigned t = 0; t < WALK_THREADS; t++)
		if (memcmp(&order[0].view.thread[t], &order[1].view.thread[t], sizeof order[0].view.thread[t])) {
			print_message("  T%u: alternatives %x, %x; clock %llu, %llu\n", t, order[0].view.thread[t].alts,
				order[1].view.thread[t].alts, (unsigned long long)order[0].view.thread[t].clock,
				(unsigned long long)order[1].view.thread[t].clock);
			for (unsigned alt = 0; alt < ALT_COUNT; alt++) {
				print("   a b", order[0].view.thread[t].preview[alt]);
				print("   b a", order[1].view.thread[t].preview[alt]);
			}
		}
	fail_msg("seed %llu: %s", (unsigned long long)seed, what);
}

static void try_pair(uint64_t seed, struct choice a, struct choice b)
{
	run_order(a, b, &order[0]);
	run_order(b, a, &order[1]);
	mentioned++;
	if (!order[0].possible || !order[1].possible)
		complain(seed, a, b, "one of two independent choices disables the other");
	if (order[0].misuse || order[1].misuse) {
		if (!order[0].misuse || !order[1].misuse)
			complain(seed, a, b, "a misuse in one order only");
		return; /* the execution ends there */
	}
	if (order[0].first.mode[0] == M_ARRIVE && order[0].second.mode[0] == M_LAST)
		return; /* the one exception, which the explorer knows: together the two arrivals complete a round */
	if (!same(order[0].first, order[1].second) || !same(order[0].second, order[1].first))
		complain(seed, a, b, "two independent choices are other events in another order");
	if (memcmp(&order[0].view, &order[1].view, sizeof order[0].view) != 0)
		complain(seed, a, b, "two independent choices lead to different states");
	if (memcmp(order[0].on, order[1].on, sizeof order[0].on) != 0)
		complain(seed, a, b, "two independent choices lead to different states, as shows later");
}

static void independent_choices_commute(void **state)
{
	uint64_t seed = test_seed(1), pairs = number_from("WALK_PAIRS", 200000), r = seed;
	mentioned = 0;
	for (; mentioned < pairs; seed++) {
		struct choice c[WALK_CHOICES];
		unsigned n;
		walk_start(&k, seed);
		while ((n = walk_choices(&k, c))) {
			walk_save(&k, &here);
			for (unsigned i = 0; i < n; i++)
				for (unsigned j = i + 1; j < n; j++) {
					struct event p = preview(c[i]), q = preview(c[j]);
					if (!events_dependent(&p, &q)) {
						try_pair(seed, c[i], c[j]);
						walk_restore(&k, &here);
					}
				}
			walk_step(&k, c[walk_random(&r) % n]);
		}
	}
	print_message("%llu pairs, seeds to %llu\n", (unsigned long long)mentioned, (unsigned long long)seed);
}

/* ---- effects ---- */

static void effect_fails(uint64_t seed, const char *what, const struct event *before, const struct event *after)
{
	print("did", walk_plain(&k, k.last_event));
	print("before", *before);
	print("after", *after);
	fail_msg("seed %llu: %s", (unsigned long long)seed, what);
}

/* If the step changed alternative a of thread t, its event must depend on that alternative. */
static void check_effect(uint64_t seed, const struct walk_view *was, const struct walk_view *is, unsigned t, unsigned a)
{
	const struct event *before = &was->thread[t].preview[a], *after = &is->thread[t].preview[a];
	struct event e = walk_plain(&k, k.last_event);
	bool could = was->thread[t].alts & 1u << a, can = is->thread[t].alts & 1u << a;
	if (could == can && memcmp(before, after, sizeof *before) == 0)
		return;
	if (can && !events_dependent(&e, after))
		effect_fails(seed, could ? "an independent event came before and made it another one"
					 : "an independent event enables it", before, after);
	if (before->mode[0] == M_ARRIVE && after->mode[0] == M_LAST)
		return; /* see above */
	if (could && !events_dependent(&e, before))
		effect_fails(seed, can ? "an independent event changes it" : "an independent event disables it", before,
			after);
}

static void check_effects(uint64_t seed, struct choice c, const struct walk_view *was, const struct walk_view *is)
{
	for (unsigned t = 0; t < WALK_THREADS; t++)
		for (unsigned a = 0; a < ALT_COUNT && t != c.thread && was->thread[t].alive; a++)
			check_effect(seed, was, is, t, a);
}

static void effects_are_dependence(void **state)
{
	static struct walk_view before;
	uint64_t seed = test_seed(1), r = seed, tried = 0;
	for (; tried < 100000; seed++) {
		struct choice c[WALK_CHOICES];
		unsigned n;
		walk_start(&k, seed);
		while ((n = walk_choices(&k, c))) {
			walk_save(&k, &here);
			walk_look(&k, &before);
			for (unsigned i = 0; i < n; i++, tried++) {
				walk_step(&k, c[i]);
				if (!k.s.over) {
					walk_look(&k, &order[0].view);
					check_effects(seed, c[i], &before, &order[0].view);
				}
				walk_restore(&k, &here);
			}
			walk_step(&k, c[walk_random(&r) % n]);
		}
	}
}

/* ---- the walk reaches everything ---- */

static void walk_meets_everything(void **state)
{
	static uint32_t seen[EV_COUNT][M_COUNT], alts[ALT_COUNT];
	uint64_t r = 3;
	for (uint64_t seed = 1; seed < 4000; seed++) {
		struct choice c[WALK_CHOICES];
		unsigned n;
		walk_start(&k, seed);
		while ((n = walk_choices(&k, c))) {
			walk_step(&k, c[walk_random(&r) % n]);
			seen[k.last_event.kind][k.last_event.mode[0]]++;
			alts[k.last_event.alt]++;
		}
	}
	for (unsigned a = 0; a < ALT_COUNT; a++)
		assert_true(alts[a] > 0 || a == ALT_BEFORE); /* only hooks offer it (kernel/signal_delivery.c) */
	static const uint8_t must[][2] = { { EV_COND_WAKE, M_TAKE }, { EV_COND_WOKEN, M_TAKE }, { EV_COND_TIMEOUT, M_DEQ },
		{ EV_COND_SPURIOUS, M_DEQ }, { EV_COND_RELOCK, M_ACQ }, { EV_FUTEX_WOKEN, M_TAKE },
		{ EV_FUTEX_TIMEOUT, M_DEQ }, { EV_FUTEX_REQUEUE, M_WRITE }, { EV_FUTEX_CMP_REQUEUE, M_WRITE },
		{ EV_BARRIER_ARRIVE, M_LAST },
		{ EV_BARRIER_PASS, M_PASS }, { EV_ONCE_ENTER, M_READ }, { EV_ONCE_ENTER, M_ACQ },
		{ EV_ONCE_ABORT, M_REL }, { EV_RW_WRLOCK, M_ACQ }, { EV_RW_WRWAIT, M_CLAIM }, { EV_RW_WRTIMEOUT, M_CLAIM }, { EV_RW_RDUNLOCK, M_RDREL },
		{ EV_RW_TRYRDLOCK, M_READ }, { EV_SEM_WAIT, M_RECV }, { EV_SEM_TRYWAIT, M_READ },
		{ EV_RMW, M_READ }, { EV_RMW, M_WRITE }, { EV_FUTEX_WAIT, M_READ }, { EV_FUTEX_WAIT, M_ENQ },
		{ EV_THREAD_JOIN, M_ACQ }, { EV_THREAD_JOIN, M_POKE }, { EV_THREAD_CANCELLED, M_DEQ },
		{ EV_THREAD_CANCELLED, M_READ }, { EV_SIGNAL_HANDLER, M_READ }, { EV_MUTEX_TRYLOCK, M_READ },
		{ EV_SPIN_TRYLOCK, M_READ }, { EV_FD_READ, M_ACQ }, { EV_THREAD_EXIT, M_REL } };
	for (unsigned i = 0; i < sizeof must / sizeof *must; i++)
		if (!seen[must[i][0]][must[i][1]])
			fail_msg("never seen: %s in mode %u", event_kind_text(must[i][0]), must[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(preview_is_step),
		cmocka_unit_test(pending_is_refreshed),
		cmocka_unit_test(independent_choices_commute),
		cmocka_unit_test(effects_are_dependence),
		cmocka_unit_test(walk_meets_everything),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
