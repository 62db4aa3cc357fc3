/* The texts and colours of a report. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/state_places.h"
#include "base/xalloc.h"
#include "recorder/memory_error.h"
#include "recorder/report/diagnosis.h"
#include "recorder/report/report_internal.h"
#include "sched/choice.h"

#define DEFAULT_WIDTH 100
#define MIN_WIDTH 40 /* as for --width */
#define MAX_WIDTH 1000

struct report_options report_options_for(FILE *out)
{
	struct report_options o = { .width = DEFAULT_WIDTH };
	const char *columns = getenv("COLUMNS"), *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	struct winsize ws;
	bool tty = isatty(fileno(out));

	if (columns && atoi(columns) > 0)
		o.width = (unsigned)atoi(columns);
	else if (tty && ioctl(fileno(out), TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0)
		o.width = ws.ws_col;
	o.width = o.width < MIN_WIDTH ? MIN_WIDTH : o.width > MAX_WIDTH ? MAX_WIDTH : o.width;
	o.colour = tty && !(no_color && no_color[0]) && term && term[0] && strcmp(term, "dumb") != 0;
	return o;
}

/* ---- colours ---- */

static void colour(const struct report *p, const char *code)
{
	if (p->opt.colour)
		fprintf(p->out, "\033[%sm", code);
}

void report_thread_colour(const struct report *p, thread_id t)
{
	static const char *const codes[] = { "36", "33", "35", "32", "34", "96", "93", "95" };

	colour(p, codes[t % (sizeof(codes) / sizeof(codes[0]))]);
}
void report_bold(const struct report *p)
{
	colour(p, "1");
}
void report_red(const struct report *p)
{
	colour(p, "1;31");
}
void report_dim(const struct report *p)
{
	colour(p, "2");
}
void report_plain(const struct report *p)
{
	colour(p, "0");
}

/* ---- names ---- */

const char *report_object(const struct report *p, object_id o)
{
	return o >= 1 && o <= p->r->n_objects ? p->object[o - 1] : "";
}

const char *report_thread(const struct report *p, thread_id t)
{
	return t < p->r->n_threads ? p->r->threads[t].path : "?";
}

void report_put_thread(const struct report *p, thread_id t)
{
	report_thread_colour(p, t);
	fputs(report_thread(p, t), p->out);
	report_plain(p);
}

void report_put_place(const struct report *p, size_t i)
{
	char where[CELL_TEXT];

	report_where(&p->r->steps[i].stack, false, where, sizeof(where));
	fprintf(p->out, "(%s%sstep %zu)", where, where[0] ? ", " : "", i + 1);
}

void report_put_where(const struct report *p, const struct rec_stack *stack, const char *near, size_t step)
{
	char where[CELL_TEXT], number[CELL_TEXT] = "";

	report_where(stack, false, where, sizeof(where));
	if (step != NO_STEP)
		snprintf(number, sizeof(number), "%s%s %zu", where[0] ? ", " : "", near, step + 1);
	if (where[0] || number[0])
		fprintf(p->out, " (%s%s)", where, number);
}

void report_at(const struct report *p, const struct rec_stack *stack)
{
	char buf[CELL_TEXT];

	if (report_where(stack, false, buf, sizeof(buf))[0])
		fprintf(p->out, " at %s", buf);
}

/* Returns the outermost function of the user's code, for instance the one that std::thread was given. */
static const char *outermost_user(const struct rec_stack *st)
{
	for (size_t i = st->n; i-- > 0;)
		if ((st->frame[i].flags & REC_FRAME_USER) && st->frame[i].function)
			return st->frame[i].function;
	return NULL;
}

const char *report_start(const struct report *p, thread_id t)
{
	const struct recording *r = p->r;
	const char *start = t < r->n_threads ? r->threads[t].start : "", *user = NULL;

	if (start && strcmp(start, "execute_native_thread_routine") != 0 && strncmp(start + (start[0] == '<'), "std::", 5) != 0)
		return start;
	user = outermost_user(&r->threads[t].stack);
	for (size_t i = 0; i < r->n_steps && !user; i++)
		if (r->steps[i].thread == t)
			user = outermost_user(&r->steps[i].stack);
	return user ? user : t == 0 ? "main" : "";
}

char *report_where(const struct rec_stack *stack, bool with_function, char *buf, size_t size)
{
	const struct rec_frame *f = rec_stack_user_frame(stack);
	char place[200], text[400];

	rec_stack_where(stack, place, sizeof(place));
	if (with_function && f && f->function && f->file)
		snprintf(text, sizeof(text), "%s %s", f->function, place);
	else
		snprintf(text, sizeof(text), "%s", place);
	report_clean_text(text, buf, size);
	return buf;
}

static void add_text(char *buf, size_t size, const char *before, const char *text)
{
	size_t n = strlen(buf);

	if (n < size)
		snprintf(buf + n, size - n, "%s%s", before, text);
}

static const char *death_text(const struct recording *r)
{
	switch (r->failure.kind) {
	case BUG_ASSERT:
		return strstr(r->failure.message, "ssertion") ? "assertion fails" : "aborts";
	case BUG_CRASH:
		return "crashes";
	case BUG_HANG:
		return "hangs";
	case BUG_RACE:
		return "data race";
	case BUG_MISUSE:
		return "misuse";
	case BUG_MEMORY:
		return memory_error_text(r->failure.block.error);
	default:
		return "dies";
	}
}

/* Returns whether the object stands for something other than memory. */
static bool is_state(const struct recording *r, object_id o)
{
	return o && r->objects[o - 1].kind == OBJ_MEMORY && stands_for_state(r->objects[o - 1].addr);
}

bool report_is_cas(const struct report *p, const struct rec_step *s)
{
	if (p->r->settings.model == MODEL_RC11)
		return s->kind == EV_RMW && rec_step_failed(s);
	return s->kind == EV_RMW && s->result;
}

/* The verb and the objects of an operation. `result` of an RMW: not 0 for a compare-and-swap. Waits also name the mutex
   that they release or acquire. */
static void operation_text(const struct report *p, unsigned kind, const object_id obj[2], int32_t result, char *buf,
	size_t size)
{
	const char *verb = event_kind_text(kind);

	if (kind == EV_DEATH)
		verb = death_text(p->r);
	else if (is_state(p->r, obj[0]))
		verb = kind == EV_LOAD ? "read" : "change";
	else if (kind == EV_RMW) /* an immediate operation; a compare-and-swap shows the expected value */
		verb = result ? "cas" : "update";
	else if (kind == EV_COND_WOKEN)
		verb = "woken";
	snprintf(buf, size, "%s", verb);
	if (kind == EV_THREAD_EXIT)
		return; /* its object is the thread itself */
	if (obj[0])
		add_text(buf, size, " ", report_object(p, obj[0]));
	if (!obj[1])
		return;
	if (kind == EV_COND_WAIT)
		add_text(buf, size, ", unlock ", report_object(p, obj[1]));
	else if (kind == EV_COND_WAKE)
		add_text(buf, size, ", lock ", report_object(p, obj[1]));
	else if (strcmp(report_object(p, obj[0]), report_object(p, obj[1])) != 0) /* a futex may have the name of its word */
		add_text(buf, size, ", ", report_object(p, obj[1]));
}

/* "choose(3) = 1". A choice among more values than one event has is made in several events; all but the last show a range: "choose(9): 2 to 3". */
static void choice_text(const struct rec_step *s, char *buf, size_t size)
{
	struct chosen c = choose_chosen(s->result);

	if (c.count > 1)
		snprintf(buf, size, "choose(%u): %u to %u", c.of, c.first, c.first + c.count - 1);
	else
		snprintf(buf, size, "choose(%u) = %u", c.of, c.first);
}

/* Adds which store the step reads instead of the latest, or where its own store is placed. */
static void add_older(const struct report *p, const struct rec_step *s, char *buf, size_t size)
{
	size_t next = rec_step_overwritten(p->r, (size_t)(s - p->r->steps));
	char text[96];

	if (s->kind == EV_STORE)
		text[0] = 0;
	else if (s->result > 0)
		snprintf(text, sizeof(text), " ← step %d", s->result);
	else
		snprintf(text, sizeof(text), " ← first value");
	add_text(buf, size, text, "");
	if (next == NO_STEP)
		return;
	const char *how = s->kind == EV_STORE ? "placed before" : "overwritten by";
	snprintf(text, sizeof(text), ", %s step %zu", how, next + 1);
	add_text(buf, size, text, "");
}

char *report_step_text(const struct report *p, const struct rec_step *s, char *buf, size_t size)
{
	static const char *const alternatives[ALT_COUNT] = {
		[ALT_SIGNAL] = " (signal handler first)", [ALT_BEFORE] = " (signal handler just before)", [ALT_CANCEL] = " (cancelled)",
		[ALT_SPURIOUS] = " (spurious)", [ALT_TIMEOUT] = " (timeout)",
	};
	char number[48], value[CELL_TEXT];

	report_value_text(p, s, value, sizeof(value));
	if (s->kind == EV_UPDATE) {
		snprintf(buf, size, "%s%s reaches memory", s->obj[0] ? report_object(p, s->obj[0]) : "its store", value);
		if (p->partner[s - p->r->steps] != NO_STEP) {
			snprintf(number, sizeof(number), "%zu)", p->partner[s - p->r->steps] + 1);
			add_text(buf, size, " (step ", number);
		}
		return buf;
	}
	if (s->kind == EV_CHOOSE) {
		const struct rec_label *label = report_choice(p->r, (size_t)(s - p->r->steps));
		if (label)
			report_clean_text(label->text, buf, size);
		else
			choice_text(s, buf, size);
		return buf;
	}
	operation_text(p, s->kind, s->obj, s->kind == EV_RMW ? report_is_cas(p, s) : s->result, buf, size);
	add_text(buf, size, "", value);
	if (s->buffered)
		add_text(buf, size, " → buffer", "");
	if (rec_step_forwarded(s))
		add_text(buf, size, " ← buffer", "");
	if (alternative_is_older(s->alt))
		add_older(p, s, buf, size);
	else if (s->alt && s->kind != EV_COND_TIMEOUT && s->kind != EV_FUTEX_TIMEOUT && s->kind != EV_RW_WRTIMEOUT &&
		 s->kind != EV_COND_SPURIOUS)
		add_text(buf, size, alternatives[s->alt], "");
	if (s->kind == EV_RMW && rec_step_failed(s))
		add_text(buf, size, " → fails", "");
	if (s->result > 0 && event_kind_result(s->kind) == RESULT_ERRNO) {
		const char *name = strerrorname_np(s->result);
		snprintf(number, sizeof(number), "%d", s->result);
		add_text(buf, size, " → ", name ? name : number);
	} else if (s->result > 0 && event_kind_result(s->kind) == RESULT_BYTES) {
		snprintf(number, sizeof(number), "%d byte%s", s->result, s->result == 1 ? "" : "s");
		add_text(buf, size, " → ", number);
	} else if (s->kind == EV_FUTEX_WAKE || event_kind_result(s->kind) == RESULT_TOKENS || (s->kind == EV_EXIT && s->result)) {
		snprintf(number, sizeof(number), "%d%s", s->result,
			s->kind == EV_FUTEX_WAKE ? " woken" : "");
		add_text(buf, size, " → ", number);
	}
	return buf;
}

char *report_label_text(const struct rec_label *label, char *buf, size_t size)
{
	char text[CELL_TEXT - 8];

	report_clean_text(label->text, text, sizeof(text));
	snprintf(buf, size, "“%s”", text);
	return buf;
}

char *report_pending_text(const struct report *p, const struct rec_thread *t, char *buf, size_t size)
{
	if (t->pending_kind == EV_COND_WAKE || t->pending_kind == EV_COND_WOKEN)
		snprintf(buf, size, "wake-up of %s", report_object(p, t->pending_obj[0]));
	else
		operation_text(p, t->pending_kind, t->pending_obj, 0, buf, size);
	return buf;
}

/* ---- preparation ---- */

/* Gives the objects of threads the threads' names, which follow from the steps that create and end them. */
static void name_threads(struct report *p, char **name)
{
	const struct recording *r = p->r;
	unsigned *children = xcalloc(r->n_threads, sizeof(*children));

	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];
		object_id o = s->obj[0];
		if (s->kind == EV_THREAD_CREATE && !rec_step_failed(s)) {
			children[s->thread]++;
			if (o && !name[o - 1])
				name[o - 1] = xasprintf("%s.%u", r->threads[s->thread].path, children[s->thread]);
		} else if (s->kind == EV_THREAD_EXIT && o && !name[o - 1]) {
			name[o - 1] = xstrdup(r->threads[s->thread].path);
		}
	}
	free(children);
}

/* Orders objects by name, and futexes apart from their words. */
static int compare_names(const void *a, const void *b)
{
	const struct rec_object *x = *(const struct rec_object *const *)a, *y = *(const struct rec_object *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->kind == OBJ_FUTEX) - (y->kind == OBJ_FUTEX);
}

/* Adds the number to names that several objects share. */
static void name_objects(struct report *p)
{
	const struct recording *r = p->r;
	const struct rec_object **sorted = xcalloc(r->n_objects, sizeof(*sorted));
	size_t n = 0;

	p->object = xcalloc(r->n_objects, sizeof(*p->object));
	for (size_t i = 0; i < r->n_objects; i++)
		if (r->objects[i].name)
			sorted[n++] = &r->objects[i];
	qsort(sorted, n, sizeof(*sorted), compare_names);
	for (size_t i = 0; i < r->n_objects; i++) {
		const struct rec_object *o = &r->objects[i], **at;
		char buf[CELL_TEXT];
		if (!o->name)
			continue;
		at = bsearch(&o, sorted, n, sizeof(*sorted), compare_names);
		report_clean_text(o->name, buf, sizeof(buf));
		if ((at > sorted && !compare_names(at - 1, at)) ||
			(at + 1 < sorted + n && !compare_names(at, at + 1)))
			p->object[i] = xasprintf("%s#%u", buf, o->number);
		else
			p->object[i] = xstrdup(buf);
	}
	free(sorted);
	name_threads(p, p->object);
	for (size_t i = 0; i < r->n_objects; i++)
		if (!p->object[i])
			p->object[i] = xasprintf("%s#%u", object_kind_text(r->objects[i].kind),
				r->objects[i].number);
}

void report_begin(struct report *p, FILE *out, const struct recording *r, const struct report_options *options)
{
	memset(p, 0, sizeof(*p));
	p->out = out;
	p->r = r;
	if (options)
		p->opt = *options;
	if (!p->opt.width)
		p->opt.width = DEFAULT_WIDTH;
	name_objects(p);
	p->preempted = xcalloc(r->n_steps, sizeof(*p->preempted));
	recording_mark_preemptions(r, p->preempted);
	p->locked_at = xcalloc(r->n_objects, sizeof(*p->locked_at));
	recording_find_locked(r, p->locked_at);
	p->partner = xcalloc(r->n_steps, sizeof(*p->partner));
	recording_pair_stores(r, p->partner, NULL);
	p->end = report_check_failed(r);
	p->diagnosis = xcalloc(1, sizeof(*p->diagnosis));
	p->diagnosis->kind = DIAGNOSIS_KINDS;
}

void report_finish(struct report *p)
{
	for (size_t i = 0; i < p->r->n_objects; i++)
		free(p->object[i]);
	free(p->object);
	free(p->preempted);
	free(p->locked_at);
	free(p->partner);
	free(p->diagnosis);
}
