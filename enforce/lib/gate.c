/* See gate.h. */
#include "enforce/lib/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "base/processor.h"
#include "base/units.h"
#include "enforce/lib/futex.h"
#include "enforce/lib/pending.h"
#include "enforce/lib/stall.h"

#define SPIN_ROUNDS 200
#define SPIN_HALVINGS 4

bool gate_on, gate_ready, gate_owns;
extern bool mem_on __attribute__((alias("gate_on"))); /* for preload/accesses/ranges.h */
struct plan *gate_plan;
int gate_pid;
uint64_t *gate_address;
__thread struct self self = {.thread = PLAN_NONE};
struct plan_progress *gate_progress;
static unsigned spin_rounds;
/* Tables of the plan, which each event reads. */
static const struct plan_event *events;
static const struct plan_thread *threads;
static const struct plan_object *objects;
static const uint32_t *mine;
static bool *sent_to; /* by thread: whether the prefix sends it signals */
static uint32_t *all_dependent, n_all; /* the events of the prefix that depend on everything (K_ALL), in order */

static const struct plan_event *event_at(uint32_t i)
{
	return &events[i];
}

static const struct plan_thread *thread_at(uint32_t t)
{
	return &threads[t];
}

static const struct plan_object *object_at(uint32_t o)
{
	return &objects[o];
}

static uint32_t certified(void)
{
	return __atomic_load_n(&gate_plan->certified, __ATOMIC_ACQUIRE);
}

/* Returns the index of the k-th event of a thread; PLAN_NONE if it has fewer events. */
static uint32_t event_of(uint32_t thread, uint32_t k)
{
	const struct plan_thread *t = thread_at(thread);

	return k < t->n ? mine[t->first + k] : PLAN_NONE;
}

/* ---- the choice (plan.h) ---- */

/* Returns whether event i of the prefix is its last one, and others may be performed instead. */
static bool is_choice(uint32_t i)
{
	return gate_plan->n_instead && i + 1 == gate_plan->n_events && certified() == gate_plan->n_events;
}

/* Returns whether the event may be chosen. */
static bool may_be_chosen(uint32_t i)
{
	return i != PLAN_NONE && gate_plan->n_instead && i + 1 >= gate_plan->n_events && certified() == gate_plan->n_events;
}

static uint32_t choice(void)
{
	return __atomic_load_n(&gate_plan->choice, __ATOMIC_SEQ_CST);
}

/* Returns the event that threads wait for when they wait for event i: another one if another one was chosen. */
static uint32_t in_place_of(uint32_t i)
{
	uint32_t chosen = is_choice(i) ? choice() & ~PLAN_CHOSEN : 0;

	return chosen ? chosen - 1 : i;
}

static bool performed(uint32_t i)
{
	const struct plan_event *e = event_at(i);

	if (i >= certified())
		return true;
	if (is_choice(i))
		return choice() & PLAN_CHOSEN;
	return __atomic_load_n(&gate_progress[e->thread].done, __ATOMIC_ACQUIRE) > e->k;
}

/* ---- words for people ---- */

static void say(const char *fmt, va_list ap)
{
	char text[1024];
	int n = snprintf(text, sizeof(text), "simul: "), more;

	more = vsnprintf(text + n, sizeof(text) - (size_t)n - 1, fmt, ap);
	n += more < (int)sizeof(text) - n - 1 ? more : (int)sizeof(text) - n - 2;
	text[n++] = '\n';
	syscall(SYS_write, STDERR_FILENO, text, (size_t)n); /* not write, which may be an event */
}

const char *gate_self_path(void)
{
	return self.thread == PLAN_NONE ? "a thread that is not in the certificate" : plan_text(thread_at(self.thread)->path);
}

void gate_diverge(const char *fmt, ...)
{
	static uint32_t reported;
	uint32_t first = !__atomic_exchange_n(&reported, 1, __ATOMIC_SEQ_CST);
	int saved = errno;
	va_list ap;

	if (first) {
		va_start(ap, fmt);
		say(fmt, ap);
		va_end(ap);
	}
	if (!gate_plan->uncertified) {
		if (!first)
			for (;;)
				pause(); /* another thread is ending the process */
		syscall(SYS_exit_group, SIMUL_EXIT_DIVERGED);
	}
	gate_off();
	errno = saved;
}

void gate_refuse(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	syscall(SYS_exit_group, SIMUL_EXIT_USAGE);
	__builtin_unreachable();
}

/* ---- waiting ---- */

static void sleep_until(uint32_t i)
{
	const struct timespec tick = {STALL_TICK_NS / NS_PER_S, STALL_TICK_NS % NS_PER_S};
	struct plan_progress *p = &gate_progress[event_at(i)->thread];
	bool choose = is_choice(i);
	uint32_t *word = choose ? &gate_plan->choice : &p->done, *sleepers = choose ? &gate_plan->choice_sleepers : &p->sleepers;
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
static void wait_for(uint32_t i)
{
	static __thread uint8_t halvings;

	for (unsigned k = 0; k < spin_rounds >> halvings; k++) {
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

/* ---- the prefix comes to its end ---- */

/* Returns whether the thread's next event is in the prefix. The choice belongs to no thread. */
static bool has_more(uint32_t thread, uint32_t done)
{
	uint32_t i = event_of(thread, done);

	return i != PLAN_NONE && i < certified() && !is_choice(i);
}

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

/* Call it when the running thread has performed its last event of the prefix. The thread that does so last sees everything that the
   others have written. */
static void finish_thread(void)
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

/* ---- objects ---- */

/* Records the address of object o, or checks that it is the recorded one. Returns whether it is. */
static bool bind(uint32_t o, const struct use *use)
{
	uint64_t known = __atomic_load_n(&gate_address[o], __ATOMIC_ACQUIRE);

	if (object_at(o)->kind != use->kind)
		return false;
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

static bool may_be(uint32_t o, const struct use *use)
{
	uint64_t addr = __atomic_load_n(&gate_address[o], __ATOMIC_SEQ_CST);

	if (object_at(o)->kind != use->kind)
		return false;
	if (use->kind == OBJ_THREAD)
		return object_at(o)->thread == use->thread;
	if (use->kind == OBJ_MEMORY)
		return addr < use->addr + use->size && use->addr < addr + object_at(o)->at.size;
	return !addr || addr == use->addr;
}

/* Rule 2 for one object, with the first n events. It waits for the last event of each thread on the object: then the thread's earlier events are
   performed, too. */
static void wait_for_object(uint32_t o, const struct use *use, uint32_t n)
{
	const uint32_t *uses = (const uint32_t *)plan_at(gate_plan->uses) + object_at(o)->first;

	for (uint32_t k = object_at(o)->n; k-- > 0 && may_be(o, use);)
		if (uses[k] < n && uses[k] < certified() && !performed(uses[k]))
			wait_for(uses[k]);
}

static void wait_for_objects(const struct use *use, unsigned n_uses, uint32_t n)
{
	for (unsigned u = 0; u < n_uses; u++)
		for (uint32_t o = 0; o < gate_plan->n_objects; o++)
			if (may_be(o, &use[u]))
				wait_for_object(o, &use[u], n);
}

/* Call it after each change of the prefix's length: perhaps no event of the prefix is left to be performed. */
static void look_at_length(void)
{
	static uint32_t seen = UINT32_MAX;
	uint32_t now = certified();

	if (__atomic_load_n(&seen, __ATOMIC_RELAXED) != now && __atomic_exchange_n(&seen, now, __ATOMIC_SEQ_CST) != now && all_performed())
		switch_off();
}

/* Waits for the first n events of the prefix. */
static void wait_for_first(uint32_t n)
{
	for (uint32_t i = n; i-- > 0;)
		if (!performed(i))
			wait_for(i);
}

static void wait_for_all(void)
{
	wait_for_first(certified());
}

/* Returns whether the prefix sends the running thread a signal, on which everything depends that it does next. */
static bool is_sent_to(void)
{
	return self.thread != PLAN_NONE && sent_to[self.thread];
}

/* Rule 2 for the events of the prefix that depend on everything: each of them comes after the one before. */
static void wait_for_all_dependent(void)
{
	uint32_t i = n_all;

	while (i && all_dependent[i - 1] >= certified())
		i--;
	if (i && !performed(all_dependent[i - 1]))
		wait_for(all_dependent[i - 1]);
}

static void wait_behind(enum event_kind kind, const struct use *use, unsigned n)
{
	uint32_t length = certified(); /* it can fall at any time, which ends the waits below */

	look_at_length();
	if (event_kind_flags(kind) & (K_END | K_ALL) || is_sent_to()) {
		wait_for_all();
		if (is_sent_to())
			pending_flush(self.thread);
		return;
	}
	if (length && (event_kind_flags(event_at(length - 1)->kind) & K_END))
		wait_for(length - 1); /* the prefix ends with the process, so no event comes after it */
	wait_for_all_dependent();
	wait_for_objects(use, n, gate_plan->n_events);
}

/* ---- events ---- */

static void describe_use(enum event_kind kind, const struct use *use, unsigned n, char *buf, size_t size)
{
	int at = snprintf(buf, size, "%s", event_kind_text(kind));

	for (unsigned u = 0; u < n && at > 0 && (size_t)at < size; u++) {
		const char *name = NULL;

		for (uint32_t o = 0; o < gate_plan->n_objects && !name; o++)
			if (object_at(o)->kind == use[u].kind && (use[u].kind == OBJ_THREAD ? object_at(o)->thread == use[u].thread :
				gate_address[o] == use[u].addr))
				name = plan_text(object_at(o)->name);
		if (name)
			at += snprintf(buf + at, size - (size_t)at, " %s", name);
		else if (use[u].kind != OBJ_THREAD)
			at += snprintf(buf + at, size - (size_t)at, " %s at 0x%llx", object_kind_text(use[u].kind),
				(unsigned long long)use[u].addr);
		else
			at += snprintf(buf + at, size - (size_t)at, " an uncertified thread");
	}
}

static bool matches(const struct plan_event *e, enum event_kind kind, const struct use *use, unsigned n)
{
	if (e->kind != kind)
		return false;
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
	describe_use(kind, use, n, does, sizeof(does));
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
			wait_for(after[k]);
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
		finish_thread();
}

/* ---- what hooks and patched code announce ---- */

/* The thread comes to an event that may be chosen. Returns whether it is the chosen one, and so in the prefix. */
static bool choose(uint32_t i, enum event_kind kind, const struct use *use, unsigned n)
{
	uint32_t none = 0;

	if (!check(i, kind, use, n))
		return false;
	wait_for_edges(i);
	wait_for_objects(use, n, gate_plan->n_events - 1);
	if (is_sent_to())
		wait_for_first(gate_plan->n_events - 1);
	self.k++; /* in any case: if it is not chosen, this and all later events of the thread are after the prefix */
	if (may_be_chosen(i) && __atomic_compare_exchange_n(&gate_plan->choice, &none, i + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return true;
	wait_behind(kind, use, n);
	return false;
}

/* Call it after the chosen event. */
static void chosen_performed(uint32_t i)
{
	__atomic_store_n(&gate_plan->choice, (i + 1) | PLAN_CHOSEN, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&gate_plan->choice_sleepers, __ATOMIC_SEQ_CST))
		futex_wake_all(&gate_plan->choice);
}

/* Returns the running thread's next event if it is in the prefix; else PLAN_NONE. */
static uint32_t next_certified(void)
{
	bool none = self.thread == PLAN_NONE || self.ended || !__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE);
	uint32_t i = none ? PLAN_NONE : event_of(self.thread, self.k);

	return i != PLAN_NONE && i < certified() ? i : PLAN_NONE;
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
	uint32_t i;

	if (gate_plan->any_arguments && self.thread != PLAN_NONE && !self.ended)
		leave_out(kind, use, n);

	run_handlers();
	i = self.thread == PLAN_NONE || self.ended ? PLAN_NONE : event_of(self.thread, self.k);
	if (may_be_chosen(i))
		return choose(i, kind, use, n);
	if (i == PLAN_NONE || i >= certified()) {
		wait_behind(kind, use, n);
		return false;
	}
	if (!check(i, kind, use, n))
		return false;
	wait_for_edges(i);
	if (i >= certified()) { /* the prefix was shortened in the meantime: the event is now after it, and waits for more events */
		wait_behind(kind, use, n);
		return false;
	}
	self.k++;
	return true;
}

void gate_wait_turn(void)
{
	uint32_t i = self.thread == PLAN_NONE || !__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE) ? PLAN_NONE :
		     event_of(self.thread, self.k);

	if (i != PLAN_NONE && i < certified() && !may_be_chosen(i))
		wait_for_edges(i);
}

void gate_all(const char *does)
{
	const struct plan_event *next;

	if (!__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE))
		return;
	if (gate_plan->any_arguments && self.thread != PLAN_NONE)
		leave_out(EV_NONE, NULL, 0);
	next = gate_next();
	if (next)
		gate_diverge("the program diverges from its certificate: %s was certified to do \"%s\", and does \"%s\"", gate_self_path(),
			plan_text(next->text), does);
	else
		wait_for_all();
}

/* Returns the next event of the running thread if it is in the prefix, else NULL; `past` accesses that it may skip. */
static const struct plan_event *next_event(bool past)
{
	uint32_t k, i;

	if (self.thread == PLAN_NONE || !__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE))
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
	wait_for_all();
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
	uint32_t i = (uint32_t)(e - events);

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
		finish_thread();
}

/* ---- threads ---- */

uint32_t gate_child(uint32_t parent, uint32_t child)
{
	for (uint32_t t = 1; parent != PLAN_NONE && t < gate_plan->n_threads; t++)
		if (thread_at(t)->parent == parent && thread_at(t)->child == child)
			return t;
	return PLAN_NONE;
}

static void become(uint32_t thread)
{
	self = (struct self){.thread = thread, .known = true};
	if (thread != PLAN_NONE)
		gate_progress[thread].tid = (uint32_t)syscall(SYS_gettid);
}

void gate_thread(uint32_t parent, uint32_t child)
{
	become(gate_child(parent, child));
}

void gate_start(void)
{
	if (!gate_plan || self.known)
		return;
	become(0);
	if (certified())
		__atomic_store_n(&gate_on, true, __ATOMIC_SEQ_CST);
}

static void *room(uint64_t bytes)
{
	void *p = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		gate_refuse("no memory to enforce the certificate with");
	return p;
}

static void find_all_dependent(void)
{
	for (unsigned pass = 0; pass < 2; pass++) {
		if (pass)
			all_dependent = room(n_all * sizeof(*all_dependent));
		n_all = 0;
		for (uint32_t i = 0; i < gate_plan->n_events; i++) {
			if (!(event_kind_flags(events[i].kind) & K_ALL))
				continue;
			if (pass)
				all_dependent[n_all] = i;
			n_all++;
		}
	}
}

bool gate_init(void)
{
	const char *number = getenv(PLAN_ENV);
	int fd = number ? atoi(number) : -1;
	struct stat st;

	if (!number || fstat(fd, &st) || (uint64_t)st.st_size < sizeof(struct plan))
		return false;
	gate_plan = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
	close(fd);
	if (gate_plan == MAP_FAILED || gate_plan->magic != PLAN_MAGIC) {
		gate_plan = NULL;
		return false;
	}
	if (gate_plan->version != PLAN_VERSION || gate_plan->size != (uint64_t)st.st_size)
		gate_refuse("libsimul_enforce.so is of another version than the simul that started the program");
	gate_progress = (struct plan_progress *)((char *)gate_plan + gate_plan->progress);
	events = plan_at(gate_plan->events);
	threads = plan_at(gate_plan->threads);
	objects = plan_at(gate_plan->objects);
	mine = plan_at(gate_plan->mine);
	gate_address = room(gate_plan->n_objects * sizeof(*gate_address));
	sent_to = room(gate_plan->n_threads);
	for (uint32_t i = 0; i < gate_plan->n_events; i++)
		if ((events[i].kind == EV_SIGNAL_SEND || events[i].kind == EV_THREAD_CANCEL) && events[i].object[0])
			sent_to[objects[events[i].object[0] - 1].thread] = true;
	find_all_dependent();
	gate_pid = getpid();
	spin_rounds = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? SPIN_ROUNDS : 0;
	return true;
}
