/* Declarations shared by the files of the text report. */
#ifndef SIMUL_REPORT_INTERNAL_H
#define SIMUL_REPORT_INTERNAL_H

#include "recorder/report/report.h"

#define CELL_TEXT 160 /* bytes of one table cell */

/* A report being printed. */
struct report {
	FILE *out;
	const struct recording *r;
	struct report_options opt;
	char **object;    /* by id - 1: the name of the object */
	bool *preempted;  /* by step: the thread that ran before it was preempted */
	size_t *locked_at; /* by object id - 1: the step that acquired it, if it is still held at the end; else n_steps */
	size_t *partner;   /* by step: see recording_pair_stores */
	struct diagnosis *diagnosis; /* made when it is first needed; until then its kind is DIAGNOSIS_KINDS */
	bool brief;        /* the explanation does not repeat the failure, which is in the title */
	size_t end;        /* see report_check_failed: what comes from this step on does not explain the failure */
};

void report_begin(struct report *p, FILE *out, const struct recording *r, const struct report_options *options);
void report_finish(struct report *p);

/* ---- plain text (report_plain.c) ---- */

/* Prints text with control characters replaced, so that it cannot affect a terminal. */
void report_clean(FILE *out, const char *text);
/* Like report_clean, into buf. */
void report_clean_text(const char *text, char *buf, size_t size);
/* Returns the number of columns that a UTF-8 text takes. */
unsigned report_width(const char *text);
/* Prints text padded to, or cut to (with an ellipsis), `width` columns. */
void report_pad(FILE *out, const char *text, unsigned width);
/* Prints text, breaking lines that are too long at blanks. */
void report_wrapped(FILE *out, const char *text, unsigned width);

/* ---- words (report_phrases.c) ---- */

/* "queue.lock", "mutex#3", "T0.2"; "" for 0. */
const char *report_object(const struct report *p, object_id o);
/* "T0.1"; "?" for NO_THREAD and ids out of range. */
const char *report_thread(const struct report *p, thread_id t);
/* The start routine's name, "worker", as the user knows it; "" when unknown. */
const char *report_start(const struct report *p, thread_id t);
/* Describes a step: "lock queue.lock", with its result and alternative when they are unusual. */
char *report_step_text(const struct report *p, const struct rec_step *s, char *buf, size_t size);
/* The label's text, in quotes. */
char *report_label_text(const struct rec_label *label, char *buf, size_t size);
/* A value of object o: "3", "-1", "0x80000001", "true", "BUSY", "&pool[2]", "{next = &pool[2], tag = 3}"
   (report_values.c). */
char *report_value(const struct report *p, object_id o, const uint8_t *bytes, unsigned size, char *buf, size_t room);
/* The value that the step read or wrote: " = 3", ": 3 → 4"; "" when it is not known. */
char *report_value_text(const struct report *p, const struct rec_step *s, char *buf, size_t room);
/* The thread's pending operation at the end: "lock queue.lock". */
char *report_pending_text(const struct report *p, const struct rec_thread *t, char *buf, size_t size);
/* "worker queue.c:41", or "queue.c:41" when short. */
char *report_where(const struct rec_stack *stack, bool with_function, char *buf, size_t size);

/* Switch a colour or style on, or back to plain; they print nothing when colours are off. */
void report_thread_colour(const struct report *p, thread_id t);
void report_bold(const struct report *p);
void report_red(const struct report *p);
void report_dim(const struct report *p);
void report_plain(const struct report *p);
/* Prints the thread, "T0.2", in its colour. */
void report_put_thread(const struct report *p, thread_id t);
/* Prints the place of step i: "(prog.c:58, step 11)". */
void report_put_place(const struct report *p, size_t i);
/* Prints a place and a step near it, which may be NO_STEP: " (prog.c:58, after step 11)". `near` is "after step". */
void report_put_where(const struct report *p, const struct rec_stack *stack, const char *near, size_t step);
/* Prints " at prog.c:58"; nothing when the place is unknown. */
void report_at(const struct report *p, const struct rec_stack *stack);

/* ---- choices of the program's own scheduler (report_choices.c) ---- */

/* Returns the label that says what the scheduler chose in step i, or in the last of several steps that make one
   choice; NULL: step i is no choice of a scheduler. */
const struct rec_label *report_choice(const struct recording *r, size_t i);
/* Returns whether step i is the scheduler's own choice (value 0), or another one. Both are false for all but the last
   step of a choice. */
bool report_is_own_choice(const struct recording *r, size_t i);
bool report_is_other_choice(const struct recording *r, size_t i);
/* Sets *n to the number of choices that are not the scheduler's own, and *more if there may be more of them, since
   labels are missing. Returns whether the schedule has choices of a scheduler. */
bool report_other_choices(const struct recording *r, unsigned *n, bool *more);
/* Returns the label of the phase in which step i is: "10 ns, delta 3"; NULL: it is not known. */
const struct rec_label *report_phase(const struct recording *r, size_t i);
/* Writes the name of the thread that value `value` of the choice in step i stands for; "another" when it is not
   known. */
char *report_choice_name(const struct recording *r, size_t i, uint32_t value, char *buf, size_t size);

/* ---- parts ---- */

/* How a schedule of more than `whole` lines is shortened (unless opt.all). Kept are its first `head` and last `tail`
   lines (together at most `whole`), and up to `places` steps between them with `around` lines before and after each:
   first the steps of the diagnosis, then preemptions, then choices that are not the scheduler's own, then other
   switches, the last ones first. */
struct shortening {
	size_t whole, head, tail, places, around;
};
/* Explains the marks that occur in the table (report_legend.c). */
void report_legend(const struct report *p);
#define LOOP_ROUNDS 3 /* shorter loops are shown in full */
/* Returns whether the failure needs time to pass for long while another thread could run. */
bool report_needs_time(const struct recording *r);
/* If a loop begins at step i, returns its period, the number of accesses in one iteration, and sets *rounds to the
   number of iterations. Of several possible periods it takes the one that folds most steps. Returns 0 when no loop
   begins there (report_loops.c). */
size_t report_find_loop(const struct recording *r, size_t i, size_t *rounds);
/* A line of the table: a step, or a line that stands for further iterations of the loop before it. */
struct report_entry {
	size_t step;
	size_t rounds; /* 0: the line is a step */
	size_t own;    /* the line stands for this number of choices of the scheduler's own; 0: it does not */
	bool shown;
};
/* Returns the first step in which a test framework reports the failed check of a program that ends with a failing
   status later; n_steps: none is known (report_teardown.c). */
size_t report_check_failed(const struct recording *r);
/* Returns the first step of the teardown: the steps after a failed check of a program that ends with a failing
   status later. The last step, the exit, comes after it. n_steps: there is none, or all steps are to be shown
   (report_teardown.c). */
size_t report_teardown(const struct report *p);
/* Returns whether the step changes nothing and is of no interest to readers: it finds a pthread_once that is done
   (report_entries.c). */
bool report_is_idle(const struct rec_step *s);
/* Lists the lines of the schedule (report_entries.c); of the steps from `teardown` on, only the last one is shown.
   *out is malloc()ed; returns their number. */
size_t report_entries(const struct report *p, const struct shortening *how, size_t teardown, struct report_entry **out);
/* The schedule (report_table.c). */
void report_table(const struct report *p, const struct shortening *how);
/* Reports the number of switches between threads, and which of them are preemptions; prints nothing when there are
   none (report_switches.c). */
void report_switches(const struct report *p);
/* Explains the failure in sentences (report_explain.c). */
void report_explain(const struct report *p);
/* Reports which orders of the diagnosis were reversed in experiments, and the results, in sentences that begin with
   a blank. Prints nothing when there are none (report_tried.c). */
void report_tried(const struct report *p);
/* Returns whether the step is known to be a compare-and-swap. Under RC11 only one that fails is: the recording has the
   store that it reads in place of the value that it expects (report_phrases.c). */
bool report_is_cas(const struct report *p, const struct rec_step *s);
/* Reports the replays with stronger memory orders, as a line. Prints nothing when there are none (report_orders.c). */
void report_orders(const struct report *p);
/* Returns whether such an experiment was made. */
bool report_was_tried(const struct report *p);
/* Returns the experiment that leaves out the switch before this step, or NULL if it was not made. */
const struct rec_try *report_switch_try(const struct report *p, size_t step);
/* Returns whether that experiment was made and passed. */
bool report_is_essential(const struct report *p, size_t step);
/* Lists which thread waits for which, for a deadlock or livelock (report_waiting.c). */
void report_waiting(const struct report *p);
/* Names the probable kind of mistake (report_diagnosis.c). Prints nothing when there is no diagnosis, or when the
   explanation contains it. */
void report_diagnosis(const struct report *p);
/* Explains why no order without store buffers has these steps, and where fences help. Prints nothing when the
   recording has no cycle (report_robust.c). */
void report_robust(const struct report *p);
/* Returns whether the step is on that cycle. */
bool report_on_cycle(const struct report *p, size_t step);
/* Reports the stores that reached memory late, and their effects (report_stores.c). */
void report_stores(const struct report *p);
/* Finds the first store whose delay mattered. Sets *store to its step, *before to the read or later store of its
   thread that took effect before it, and *missed to the access that missed it. Returns false when there is none. */
bool report_late_store(const struct report *p, size_t *store, size_t *before, size_t *missed);
/* Prints the position of each thread at the end. */
void report_threads(const struct report *p, bool stacks);
void report_stack(const struct report *p, const struct rec_stack *stack, const char *indent);

/* Returns whether the step is the failure, or part of it. */
bool report_is_failing(const struct report *p, size_t i);
/* Returns whether the thread had not ended and its last state is worth reporting. report_stuck_text describes it:
   "waits: queue.lock". */
bool report_is_stuck(const struct report *p, const struct rec_thread *t);
char *report_stuck_text(const struct report *p, const struct rec_thread *t, char *buf, size_t size);
/* Returns whether another thread made the step before step i. UPDATEs belong to no thread (report_switches.c). */
bool report_is_switch(const struct recording *r, size_t i);

#endif
