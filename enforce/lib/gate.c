/* See gate.h: what hooks and patched code announce. */
#include "enforce/lib/gate_internal.h"

#include "base/own_files.h"
#include "base/processor.h"
#include "enforce/lib/futex.h"
#include "enforce/lib/pending.h"

bool gate_on, gate_ready, gate_owns;
extern bool mem_on __attribute__((alias("gate_on"))); /* for preload/accesses/ranges.h */
__thread struct self self = {.thread = PLAN_NONE};

/* ---- what is certified ---- */

/* Returns the running thread's next event; PLAN_NONE: it has none. */
static uint32_t own_event(void)
{
	return self.thread == PLAN_NONE || self.ended ? PLAN_NONE : event_of(self.thread, self.k);
}

/* The same, if it is in the prefix; else PLAN_NONE. */
static uint32_t next_certified(void)
{
	uint32_t i = __atomic_load_n(&gate_on, __ATOMIC_ACQUIRE) ? own_event() : PLAN_NONE;

	return i != PLAN_NONE && i < certified() ? i : PLAN_NONE;
}

/* Records the address of object o, or checks that it is the recorded one. Returns whether it is. */
static bool bind(uint32_t o, const struct use *use)
{
	uint64_t known = __atomic_load_n(&gate_address[o], __ATOMIC_ACQUIRE);

	if (object_at(o)->kind != use->kind)
		return false;
	if (use->kind == OBJ_FD && (is_all_files(o) || own_file_is_all(use->addr)))
		return is_all_files(o) && own_file_is_all(use->addr);
	if (use->kind == OBJ_THREAD)
		return object_at(o)->thread == use->thread;
	if (use->kind == OBJ_MEMORY)
		return known == use->addr && object_at(o)->at.size == use->size;
	if (known)
		return known == use->addr;
	if (__atomic_compare_exchange_n(&gate_address[o], &known, use->addr, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return true;
	return known == use->addr;
}

/* Returns whether object o has this address, or none yet. */
static bool may_have(uint32_t o, const struct use *use)
{
	uint64_t known = __atomic_load_n(&gate_address[o], __ATOMIC_ACQUIRE);

	return object_at(o)->kind == use->kind && (!known || known == use->addr);
}

/* Records the addresses of two objects that have these two in some order, or checks that they do: select has the
   descriptors in the order of their numbers. While both orders are possible, nothing is recorded. Then events after the
   prefix wait for those on both objects. */
static bool bind_set(const uint32_t object[2], const struct use use[2])
{
	uint32_t a = object[0] - 1, b = object[1] - 1;
	bool same = may_have(a, &use[0]) && may_have(b, &use[1]);
	bool crossed = may_have(a, &use[1]) && may_have(b, &use[0]);

	if (same && crossed)
		return true;
	return same ? bind(a, &use[0]) && bind(b, &use[1]) : crossed && bind(a, &use[1]) && bind(b, &use[0]);
}

static bool matches(const struct plan_event *e, enum event_kind kind, const struct use *use, unsigned n)
{
	if (e->kind != kind)
		return false;
	if (kind == EV_FD_POLL && e->object[1])
		return n == 2 && bind_set(e->object, use);
	for (unsigned u = 0; u < 2; u++) {
		if (!e->object[u])
			continue;
		/* an object that is initialised again is another object at the same address */
		if (!n || !bind(e->object[u] - 1, &use[u < n ? u : n - 1]))
			return false;
	}
	return true;
}

static bool check(uint32_t i, enum event_kind kind, const struct use *use, unsigned n)
{
	const struct plan_event *e = event_at(i);
	char does[256];

	if (matches(e, kind, use, n))
		return true;
	gate_describe(kind, use, n, does, sizeof(does));
	gate_diverge("the program diverges from its certificate: %s was certified to do \"%s\" (event %u), and does \"%s\"", gate_self_path(),
		plan_text(e->text), e->number, does);
	return false;
}

/* Rule 1. */
static void wait_for_edges(uint32_t i)
{
	const struct plan_event *e = event_at(i);
	const uint32_t *after = (const uint32_t *)plan_at(gate_plan->after) + e->first;

	for (uint32_t k = 0; k < e->n; k++)
		if (!performed(after[k]))
			gate_wait_for(after[k]);
}

/* The running thread has performed its events before the k-th, of which i was the last one. Others see it from now on. */
static void publish(uint32_t i, uint32_t k)
{
	struct plan_progress *p = &gate_progress[self.thread];

	if (event_at(i)->waited) {
		__atomic_store_n(&p->done, k, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&p->sleepers, __ATOMIC_SEQ_CST))
			futex_wake_all(&p->done);
	} else {
		__atomic_store_n(&p->done, k, __ATOMIC_RELEASE);
	}
}

/* ---- other arguments ---- */

static bool is_access(unsigned kind)
{
	return kind == EV_LOAD || kind == EV_STORE || kind == EV_RMW;
}

/* Returns whether event i of the prefix is an access that the program need not make with other arguments. */
static bool is_optional(uint32_t i)
{
	return gate_plan->any_arguments && i != PLAN_NONE && i < certified() && !may_be_chosen(i) &&
	       is_access(event_at(i)->kind);
}

/* The running thread does this, and no access that the certificate has for it before. Such accesses are left out, with
   their waits: others rely on what came before them. If what the thread does is in no later place either, nothing is
   left out, and it is a divergence. */
static void leave_out(enum event_kind kind, const struct use *use, unsigned n)
{
	uint32_t k = self.k, i = event_of(self.thread, k);

	while (is_optional(i) && !matches(event_at(i), kind, use, n))
		i = event_of(self.thread, ++k);
	bool ends = i == PLAN_NONE || i >= certified();

	if (k == self.k || (ends ? is_access(kind) : event_at(i)->kind != kind))
		return;
	while (self.k < k) {
		i = event_of(self.thread, self.k);
		wait_for_edges(i);
		publish(i, ++self.k);
	}
	if (!has_more(self.thread, self.k))
		gate_finish_thread();
}

/* ---- what hooks and patched code announce ---- */

/* The thread comes to an event that may be chosen. Returns whether it is the chosen one, and so in the prefix. */
static bool choose(uint32_t i, enum event_kind kind, const struct use *use, unsigned n)
{
	uint32_t none = 0;

	if (!check(i, kind, use, n))
		return false;
	wait_for_edges(i);
	gate_wait_for_objects(use, n, gate_plan->n_events - 1);
	if (is_sent_to())
		gate_wait_for_first(gate_plan->n_events - 1);
	self.k++; /* in any case: if it is not chosen, this and all later events of the thread are after the prefix */
	if (may_be_chosen(i) && __atomic_compare_exchange_n(&gate_plan->choice, &none, i + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return true;
	gate_wait_behind(kind, use, n);
	return false;
}

/* Call it after the chosen event. */
static void chosen_performed(uint32_t i)
{
	__atomic_store_n(&gate_plan->choice, (i + 1) | PLAN_CHOSEN, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&gate_plan->choice_sleepers, __ATOMIC_SEQ_CST))
		futex_wake_all(&gate_plan->choice);
}

/* Performs the start of a handler. The thread may be in the middle of patched code, which has values in vector
   registers. */
static bool handle(void)
{
	struct processor_vectors kept;
	bool handled;

	processor_save_vectors(&kept);
	handled = pending_handle();
	processor_restore_vectors(&kept);
	return handled;
}

/* The running thread comes to an event: a handler that begins before it, begins here. */
static void run_handlers(void)
{
	uint32_t i;

	while ((i = next_certified()) != PLAN_NONE && event_at(i)->kind == EV_SIGNAL_HANDLER) {
		wait_for_edges(i);
		if (i >= certified())
			return; /* the prefix was shortened in the meantime: the thread gets its signals after it */
		self.k++;
		if (!handle())
			gate_diverge("the program diverges from its certificate: %s was certified to do "
				     "\"%s\" (event %u), and handles no signal that is pending and not blocked",
				gate_self_path(), plan_text(event_at(i)->text), event_at(i)->number);
	}
}

bool gate_begin_slow(enum event_kind kind, const struct use *use, unsigned n)
{
	uint32_t i = own_event();

	if (i != PLAN_NONE && (gate_plan->any_arguments || event_at(i)->kind == EV_SIGNAL_HANDLER)) {
		leave_out(kind, use, n);
		run_handlers();
		i = own_event();
	}
	if (may_be_chosen(i))
		return choose(i, kind, use, n);
	if (i == PLAN_NONE || i >= certified()) {
		gate_wait_behind(kind, use, n);
		return false;
	}
	if (!check(i, kind, use, n))
		return false;
	wait_for_edges(i);
	if (i >= certified()) { /* the prefix was shortened in the meantime: the event is now after it, and waits for more events */
		gate_wait_behind(kind, use, n);
		return false;
	}
	self.k++;
	return true;
}

void gate_wait_turn(void)
{
	uint32_t i = next_certified();

	if (i != PLAN_NONE && !may_be_chosen(i))
		wait_for_edges(i);
}

void gate_all(const char *does)
{
	const struct plan_event *next;

	if (!__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE))
		return;
	if (own_event() != PLAN_NONE)
		leave_out(EV_NONE, NULL, 0);
	next = gate_next();
	if (next)
		gate_diverge("the program diverges from its certificate: %s was certified to do \"%s\", and does \"%s\"", gate_self_path(),
			plan_text(next->text), does);
	else
		gate_wait_for_first(certified());
}

/* Returns the next event of the running thread if it is in the prefix, else NULL; `past` accesses that it may skip. */
static const struct plan_event *next_event(bool past)
{
	uint32_t k, i;

	if (next_certified() == PLAN_NONE)
		return NULL;
	run_handlers();
	k = self.k;
	for (i = event_of(self.thread, k); past && is_optional(i); i = event_of(self.thread, ++k))
		;
	return i == PLAN_NONE || i >= certified() ? NULL : event_at(i);
}

const struct plan_event *gate_next(void)
{
	return next_event(false);
}

const struct plan_event *gate_next_call(void)
{
	return next_event(true);
}

bool gate_receive(void)
{
	if (!__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE) || !is_sent_to())
		return true;
	if (next_certified() != PLAN_NONE)
		return false;
	gate_wait_for_first(certified());
	pending_flush(self.thread);
	return true;
}

const struct plan_event *gate_event(void)
{
	return event_at(event_of(self.thread, self.k - 1));
}

/* Returns whether the prefix has become too short for event e since e began. Others need not wait for e then, so its
   outcome and the value that it reads may be others, too. Call it after looking at these. */
static bool left_prefix(const struct plan_event *e)
{
	uint32_t i = (uint32_t)(e - gate_events);

	return i < gate_plan->n_events ? i >= certified() : certified() != gate_plan->n_events;
}

void gate_outcome(bool failed)
{
	const struct plan_event *e = gate_event();

	if (failed != (bool)e->failed && e < event_at(gate_plan->n_events) && !left_prefix(e))
		gate_diverge("the program diverges from its certificate: %s was certified to do \"%s\", which %s, and it %s", gate_self_path(),
			plan_text(e->text), e->failed ? "failed" : "succeeded", failed ? "failed" : "succeeded");
}

void gate_value(const void *at, uint32_t size)
{
	const struct plan_event *e = gate_event();
	uint64_t found = 0;

	if (!e->value_size || e->value_size != size)
		return;
	for (uint32_t i = 0; i < size; i++)
		found |= (uint64_t)((const volatile uint8_t *)at)[i] << 8 * i;
	if (found != e->value && !left_prefix(e))
		gate_diverge("the program diverges from its certificate: %s was certified to read %llu in \"%s\" (event %u), and finds %llu", gate_self_path(),
			(unsigned long long)e->value, plan_text(e->text), e->number, (unsigned long long)found);
}

static void note_performed(uint32_t i)
{
	uint32_t at = __atomic_fetch_add(&gate_plan->n_performed, 1, __ATOMIC_SEQ_CST);

	if (at < gate_plan->n_events)
		((uint32_t *)((char *)gate_plan + gate_plan->performed))[at] = i;
}

void gate_end(void)
{
	uint32_t i = event_of(self.thread, self.k - 1);

	if (gate_plan->trace)
		note_performed(i);
	publish(i, self.k);
	if (gate_plan->n_instead && i + 1 >= gate_plan->n_events)
		chosen_performed(i);
	if (!has_more(self.thread, self.k))
		gate_finish_thread();
}
