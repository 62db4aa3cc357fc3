/* What the files of the text report share. */
#ifndef SIMUL_REPORT_INTERNAL_H
#define SIMUL_REPORT_INTERNAL_H

#include "recorder/report.h"

#define CELL_TEXT 160 /* bytes of one table cell */

/* A report being printed. */
struct report {
	FILE *out;
	const struct recording *r;
	struct report_options opt;
	char **object;    /* by id - 1: what the object is called */
	bool *preempted;  /* by step: the thread before it could have gone on */
	size_t *locked_at; /* by object id - 1: step that took it and has not given it back; n_steps: none */
	size_t *partner;   /* by step: see recording_pair_stores */
};

void report_begin(struct report *p, FILE *out, const struct recording *r, const struct report_options *options);
void report_finish(struct report *p);

/* ---- words (report_phrases.c) ---- */

/* Prints text so that it cannot do anything to a terminal: no control characters. */
void report_clean(FILE *out, const char *text);
/* The same into buf. */
void report_clean_text(const char *text, char *buf, size_t size);
/* Columns that a UTF-8 text takes. */
unsigned report_width(const char *text);
/* Prints text padded to, or cut to (with an ellipsis), `width` columns. */
void report_pad(FILE *out, const char *text, unsigned width);

/* "queue.lock", "mutex#3", "T0.2"; "" for 0. */
const char *report_object(const struct report *p, object_id o);
/* "T0.1"; "?" for NO_THREAD and strangers. */
const char *report_thread(const struct report *p, thread_id t);
/* "worker": the start routine as the user knows it; "" when unknown. */
const char *report_start(const struct report *p, thread_id t);
/* Step `s` of the recording: "lock queue.lock", with result and alternative when they are remarkable. */
char *report_step_text(const struct report *p, const struct rec_step *s, char *buf, size_t size);
/* What a program called a place, in quotes. */
char *report_label_text(const struct rec_label *label, char *buf, size_t size);
/* A value of object o: "3", "-1", "0x80000001", "true", "BUSY", "&pool[2]", "{next = &pool[2], tag = 3}" (report_values.c). */
char *report_value(const struct report *p, object_id o, const uint8_t *bytes, unsigned size, char *buf, size_t room);
/* What the step read or wrote: " = 3", ": 3 → 4"; "" when it is not known. */
char *report_value_text(const struct report *p, const struct rec_step *s, char *buf, size_t room);
/* What a thread was about to do at the end: "lock queue.lock". */
char *report_pending_text(const struct report *p, const struct rec_thread *t, char *buf, size_t size);
/* "worker queue.c:41", or "queue.c:41" when short. */
char *report_where(const struct rec_stack *stack, bool with_function, char *buf, size_t size);

/* Starts and ends a colour; nothing when colours are off. */
void report_thread_colour(const struct report *p, thread_id t);
void report_bold(const struct report *p);
void report_red(const struct report *p);
void report_dim(const struct report *p);
void report_plain(const struct report *p);

/* ---- parts ---- */

/* How a schedule of more than `whole` lines is shortened (unless opt.all): its first and last lines stay (no more than `whole` together), and
   those around so many places in between: the steps of the diagnosis, then preemptions, then other switches, the last ones first. */
struct shortening {
	size_t whole, head, tail, places;
};
/* Prints lines of words, breaking those that are too long between words (report_text.c). */
void report_wrapped(FILE *out, const char *text, unsigned width);
/* What the marks of the table mean (report_legend.c). */
void report_legend(const struct report *p);
#define LOOP_ROUNDS 3 /* fewer rounds are shown one by one */
/* The accesses in one round of the loop that begins at step i, and how many rounds it has: the period that folds most; 0: no loop
   begins here (report_loops.c). */
size_t report_find_loop(const struct recording *r, size_t i, size_t *rounds);
/* A line of the table: a step, or what stands for rounds of a loop like the one before. */
struct report_entry {
	size_t step;
	size_t rounds; /* 0: the step */
	bool shown;
};
/* The lines of the schedule (report_entries.c): *out is malloc()ed; how many there are. */
size_t report_entries(const struct report *p, const struct shortening *how, struct report_entry **out);
/* The schedule (report_table.c). */
void report_table(const struct report *p, const struct shortening *how);
/* How many switches between threads there are, and which of them are preemptions; nothing when there is none (report_switches.c). */
void report_switches(const struct report *p);
/* Why it failed, in sentences (report_explain.c). */
void report_explain(const struct report *p);
/* Which orders of the diagnosis were tried the other way round, and what came of it, in sentences that begin with a blank; nothing when
   none was (report_tried.c). */
void report_tried(const struct report *p);
/* Is there such an order? */
bool report_was_tried(const struct report *p);
/* What came of leaving out the switch before this step; NULL: it was not tried. */
const struct rec_try *report_switch_try(const struct report *p, size_t step);
/* Was that tried, and nothing failed? */
bool report_is_essential(const struct report *p, size_t step);
/* Who waits for whom, at a deadlock or livelock (report_explain.c). */
void report_waiting(const struct report *p);
/* What kind of mistake it is likely to be (report_diagnosis.c); nothing when that is not known, or when the explanation says it. */
void report_diagnosis(const struct report *p);
/* Why no order without store buffers has these steps, and where fences help; nothing when the recording has no cycle (report_robust.c). */
void report_robust(const struct report *p);
/* Is the step on that cycle? */
bool report_on_cycle(const struct report *p, size_t step);
/* Which stores reached memory late, and what that changed (report_stores.c). */
void report_stores(const struct report *p);
/* The first store that mattered because it came late: its step, that of the read or later store of its thread that came before it, and
   that of the access that missed it. */
bool report_late_store(const struct report *p, size_t *store, size_t *before, size_t *missed);
/* Each thread's last position. */
void report_threads(const struct report *p, bool stacks);
void report_stack(const struct report *p, const struct rec_stack *stack, const char *indent);

/* Does the step name some of the bytes of object o? False for objects that are no memory (report_stores.c). */
bool recording_touches(const struct recording *r, const struct rec_step *s, object_id o);
/* Is the step the failure, or part of it? */
bool report_is_failing(const struct report *p, size_t i);
/* Is it of interest that the thread never got further: did it have something left to do? And what: "waits: queue.lock". */
bool report_is_stuck(const struct report *p, const struct rec_thread *t);
char *report_stuck_text(const struct report *p, const struct rec_thread *t, char *buf, size_t size);
/* Did another thread make the step before step i? A store that reaches memory is nobody's step (report_table.c). */
bool report_is_switch(const struct recording *r, size_t i);
/* Marks each step that follows a preemption; returns how many (preemptions.c). */
unsigned recording_mark_preemptions(const struct recording *r, bool *mark);
/* change[i] = object that step i took for its thread alone, minus the object that it gave back, or 0 (preemptions.c). */
void recording_mark_holds(const struct recording *r, int64_t *change);
/* locked_at[o - 1] = step by which object o is still held at the end, or n_steps (preemptions.c). */
void recording_find_locked(const struct recording *r, size_t *locked_at);

#endif
