#include "preload/cooperative/systemc_phase.h"

#include <string.h>

#include "base/session.h"
#include "preload/base/state.h"
#include "preload/cooperative/systemc_kernel.h"
#include "preload/cooperative/systemc_locks.h"
#include "preload/cooperative/systemc_races.h"
#include "preload/memory/data_races.h"
#include "preload/memory/watched.h"
#include "sched/step.h"
#include "preload/base/rules.h"

#define STEPS 64     /* of one phase; later ones are part of no race */
#define WORDS 16384  /* of all their footprints */
#define NO_STEP UINT8_MAX

/* Private memory: each execution begins with the values at the checkpoint. */
static struct {
	unsigned n;          /* steps */
	bool open;           /* the last one has not ended */
	bool full;           /* the rest of the phase is left out */
	struct {
		void *process;
		uint64_t before; /* set of the steps that the kernel ordered before this one */
		uint32_t at, words;
	} step[STEPS];
	uint32_t used;
	struct step_word word[WORDS];
	unsigned runnable;
	struct {
		void *process;
		uint8_t by;      /* the step that made it runnable; NO_STEP: it was so before the first one */
	} process[STEPS];
} phase;

/* ---- which steps the kernel orders ---- */

static uint8_t made_runnable_by(const void *process)
{
	for (unsigned i = 0; i < phase.runnable; i++)
		if (phase.process[i].process == process)
			return phase.process[i].by;
	return NO_STEP;
}

/* The rest of the phase is left out. */
static void overflow(void)
{
	phase.full = true;
	races_miss(RACES_FULL);
}

void phase_runnable(void *const *process, unsigned n)
{
	uint8_t by[STEPS];
	if (n > STEPS)
		overflow();
	if (phase.full)
		return;
	for (unsigned i = 0; i < n; i++) {
		unsigned k = 0;
		while (k < phase.runnable && phase.process[k].process != process[i])
			k++;
		by[i] = phase.n ? (uint8_t)(phase.n - 1) : NO_STEP;
		if (k < phase.runnable)
			by[i] = phase.process[k].by;
	}
	for (unsigned i = 0; i < n; i++) {
		phase.process[i].process = process[i];
		phase.process[i].by = by[i];
	}
	phase.runnable = n;
}

/* Returns the step and those before it. */
static uint64_t up_to(unsigned step)
{
	return UINT64_C(1) << step | phase.step[step].before;
}

bool phase_wants_forced(void)
{
	return !phase.full && phase.n;
}

void phase_begin(void *process)
{
	uint8_t by = made_runnable_by(process);
	if (phase.n == STEPS)
		overflow();
	if (phase.full)
		return;
	uint64_t before = by == NO_STEP ? 0 : up_to(by);
	for (unsigned i = 0; i < phase.n; i++)
		if (phase.step[i].process == process)
			before |= up_to(i);
	phase.step[phase.n].process = process;
	phase.step[phase.n].before = before;
	phase.step[phase.n].words = 0;
	watched_step(phase.n++, locks_held(process));
	phase.open = true;
	for (unsigned i = 0; i < phase.runnable; i++)
		if (phase.process[i].process == process)
			phase.process[i].process = NULL; /* it is runnable again only if a step makes it so */
}

void phase_over(void)
{
	phase.n = phase.runnable = phase.used = 0;
	phase.open = phase.full = false;
	watched_forget();
}

/* ---- races ---- */

/* Watches the words on which two steps conflict. */
static void watch(const struct step_word *a, uint32_t an, const struct step_word *b, uint32_t bn)
{
	for (uint32_t i = 0, k = 0; i < an && k < bn;) {
		if (a[i].word != b[k].word) {
			a[i].word < b[k].word ? i++ : k++;
			continue;
		}
		bool conflict = (a[i].write & (b[k].read | b[k].write)) || (a[i].read & b[k].write);
		if (conflict && !(a[i].by_scheduler | b[k].by_scheduler))
			watched_add(a[i].word);
		i++;
		k++;
	}
}

/* Two steps made these accesses. */
static void report(const struct watched_access *first, const struct watched_access *second)
{
	process_race(first, systemc_name(phase.step[first->step].process), second,
		systemc_name(phase.step[second->step].process));
}

void phase_end(const struct step_word *word, uint32_t words)
{
	unsigned me = phase.n - 1;
	if (!phase.open)
		return;
	phase.open = false;
	if (words == UINT32_MAX) {
		races_miss(RACES_UNKNOWN);
		watched_drop(me);
		return;
	}
	if (words > WORDS - phase.used) {
		overflow();
		return;
	}
	memcpy(&phase.word[phase.used], word, words * sizeof word[0]);
	phase.step[me].at = phase.used;
	phase.step[me].words = words;
	phase.used += words;
	for (unsigned i = 0; i < me; i++) {
		if (phase.step[me].before >> i & 1)
			continue;
		if (ctl_session->config.mode == MODE_EXPLORE)
			watch(&phase.word[phase.step[i].at], phase.step[i].words, word, words);
		watched_conflicts(i, me, report);
	}
}
