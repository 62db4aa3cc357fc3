/* Waiting for events of the prefix: for one, for those that rule 2 names, and for the end of the prefix. */
#include "enforce/lib/gate_internal.h"

#include <time.h>

#include "base/own_files.h"
#include "base/processor.h"
#include "base/units.h"
#include "enforce/lib/futex.h"
#include "enforce/lib/pending.h"
#include "enforce/lib/stall.h"

#define SPIN_HALVINGS 4

unsigned gate_spin_rounds;

static void sleep_until(uint32_t i)
{
	const struct timespec tick = {STALL_TICK_NS / NS_PER_S, STALL_TICK_NS % NS_PER_S};
	struct plan_progress *p = &gate_progress[event_at(i)->thread];
	bool choose = is_choice(i);
	uint32_t *word = choose ? &gate_plan->choice : &p->done;
	uint32_t *sleepers = choose ? &gate_plan->choice_sleepers : &p->sleepers;
	struct stall stall;

	stall_begin(&stall, i);
	while (!performed(i)) {
		uint32_t value = __atomic_load_n(word, __ATOMIC_SEQ_CST);

		__atomic_add_fetch(sleepers, 1, __ATOMIC_SEQ_CST);
		if (!performed(i) && __atomic_load_n(word, __ATOMIC_SEQ_CST) == value)
			futex_wait(word, value, &tick);
		__atomic_sub_fetch(sleepers, 1, __ATOMIC_SEQ_CST);
		stall.event = in_place_of(i);
		if (!performed(i) && __atomic_load_n(&gate_on, __ATOMIC_ACQUIRE))
			stall_look(&stall);
	}
	stall_end(&stall);
}

/* Spinning helps only while the thread that is waited for has a processor. So each wait in a row that had to sleep
   halves the time for which the thread spins. */
void gate_wait_for(uint32_t i)
{
	static __thread uint8_t halvings;

	for (unsigned k = 0; k < gate_spin_rounds >> halvings; k++) {
		if (performed(i)) {
			halvings = 0;
			return;
		}
		processor_relax();
	}
	if (performed(i))
		return;
	halvings += halvings < SPIN_HALVINGS;
	sleep_until(i);
}

void gate_wait_for_first(uint32_t n)
{
	for (uint32_t i = n; i-- > 0;)
		if (!performed(i))
			gate_wait_for(i);
}

/* ---- the prefix comes to its end ---- */

static bool all_performed(void)
{
	for (uint32_t t = 0; t < gate_plan->n_threads; t++)
		if (has_more(t, __atomic_load_n(&gate_progress[t].done, __ATOMIC_ACQUIRE)))
			return false;
	return !gate_plan->n_events || !is_choice(gate_plan->n_events - 1) || performed(gate_plan->n_events - 1);
}

/* From here on nothing is held back, and threads get the signals that the prefix has sent. */
static void switch_off(void)
{
	__atomic_store_n(&gate_on, false, __ATOMIC_SEQ_CST);
	pending_flush(PLAN_NONE);
}

void gate_finish_thread(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (all_performed())
		switch_off();
}

void gate_off(void)
{
	__atomic_store_n(&gate_plan->certified, 0, __ATOMIC_SEQ_CST);
	switch_off();
	for (uint32_t t = 0; t < gate_plan->n_threads; t++)
		futex_wake_all(&gate_progress[t].done);
	futex_wake_all(&gate_plan->choice);
}

/* Call it after each change of the prefix's length: perhaps no event of the prefix is left to be performed. */
static void look_at_length(void)
{
	static uint32_t seen = UINT32_MAX;
	uint32_t now = certified();

	if (__atomic_load_n(&seen, __ATOMIC_RELAXED) != now &&
		__atomic_exchange_n(&seen, now, __ATOMIC_SEQ_CST) != now && all_performed())
		switch_off();
}

/* ---- rule 2 ---- */

static bool may_be(uint32_t o, const struct use *use)
{
	uint64_t addr = __atomic_load_n(&gate_address[o], __ATOMIC_SEQ_CST);

	if (object_at(o)->kind != use->kind)
		return false;
	if (use->kind == OBJ_THREAD)
		return object_at(o)->thread == use->thread;
	if (use->kind == OBJ_MEMORY)
		return addr < use->addr + use->size && use->addr < addr + object_at(o)->at.size;
	return !addr || addr == use->addr || (use->kind == OBJ_FD && own_file_is_all(use->addr));
}

/* Rule 2 for one object, with the first n events. It waits for the last event of each thread on the object: then the
   thread's earlier events are performed, too. */
static void wait_for_object(uint32_t o, const struct use *use, uint32_t n)
{
	const uint32_t *uses = (const uint32_t *)plan_at(gate_plan->uses) + object_at(o)->first;

	for (uint32_t k = object_at(o)->n; k-- > 0 && may_be(o, use);)
		if (uses[k] < n && uses[k] < certified() && !performed(uses[k]))
			gate_wait_for(uses[k]);
}

/* Each event that depends on everything comes after the one before. */
static void wait_for_dependent(uint32_t n)
{
	uint32_t i = gate_n_dependent;

	while (i && (gate_dependent[i - 1] >= n || gate_dependent[i - 1] >= certified()))
		i--;
	if (i && !performed(gate_dependent[i - 1]))
		gate_wait_for(gate_dependent[i - 1]);
}

void gate_wait_for_objects(const struct use *use, unsigned n_uses, uint32_t n)
{
	wait_for_dependent(n);
	for (unsigned u = 0; u < n_uses; u++)
		for (uint32_t o = 0; o < gate_plan->n_objects; o++)
			if (may_be(o, &use[u]))
				wait_for_object(o, &use[u], n);
}

void gate_wait_behind(enum event_kind kind, const struct use *use, unsigned n)
{
	uint32_t length = certified(); /* it can fall at any time, which ends the waits below */

	look_at_length();
	if (event_kind_flags(kind) & (K_END | K_ALL) || is_sent_to()) {
		gate_wait_for_first(certified());
		if (is_sent_to())
			pending_flush(self.thread);
		return;
	}
	if (length && (event_kind_flags(event_at(length - 1)->kind) & K_END))
		gate_wait_for(length - 1); /* the prefix ends with the process, so no event comes after it */
	gate_wait_for_objects(use, n, gate_plan->n_events);
}
