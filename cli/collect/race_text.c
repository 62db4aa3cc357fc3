#include "cli/collect/race_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collect/collect_frames.h"
#include "cli/collect/collect_memory.h"
#include "cli/collect/process_access.h"
#include "cli/base/say.h"
#include "preload/accesses/mem.h"
#include "base/printable.h"
#include "base/xalloc.h"

#define SHOWN 10 /* races printed of each kind */

static const char *did(uint32_t flags)
{
	if (!(flags & MEM_WRITE))
		return "read";
	return flags & MEM_READ ? "updated" : "written";
}

/* Returns the name that the recording has for the memory: it was made while the process was alive, so it can name variables on stacks. */
static char *known_name(const struct session_race *race, const struct recording *r)
{
	for (size_t i = 0; r && i < r->n_objects; i++) {
		const struct rec_object *o = &r->objects[i];

		if (o->kind == OBJ_MEMORY && o->addr == race->addr && o->size == race->size && o->name)
			return xstrdup(o->name);
	}
	return NULL;
}

/* "sc_main::t.level", or "local of sc_main at soc.cpp:41", the line where that function was. NULL: it is no variable on
   that stack. */
static char *local_of_main(const struct session_race *race, const struct session_races *all, struct symbols *symbols)
{
	struct symbols_frame in = {0};
	struct rec_stack st;
	const struct rec_frame *f;
	char *name;

	if (symbols && race->addr >= all->kernel_lo && race->addr < all->kernel_hi)
		in = frames_find(&all->kernel, all->kernel_hi, race->addr);
	if (!in.pc)
		return NULL;
	name = symbolize_local(symbols, in, race->addr, race->size, NULL);
	if (name)
		return name;
	st = symbolize_stack(symbols, &in.pc, 1, false);
	f = st.n ? &st.frame[st.n - 1] : NULL;
	if (f && f->function && f->file)
		name = xasprintf("local of %s at %s:%d", f->function, f->file, f->line);
	else if (f && f->function)
		name = xasprintf("local of %s", f->function);
	rec_stack_free(&st);
	return name;
}

static char *object_of(const struct session_race *race, const struct session_races *all, struct symbols *symbols,
	const struct recording *known)
{
	struct memory_use use = {.n = 0};
	char *name = known_name(race, known);

	if (!name)
		name = local_of_main(race, all, symbols);
	for (int i = 0; i < 2; i++)
		if (race->stack[i].n)
			memory_use_note(&use, race->stack[i].pc[0], race->flags[i] & MEM_WRITE);
	if (!name && symbols && race->size && race->size <= MEMORY_PAGE)
		name = memory_name_of(symbols, race->addr, race->size, &use);
	return name ? name : xasprintf("0x%" PRIx64, race->addr);
}

char *stack_where(const struct session_stack *s, struct symbols *symbols)
{
	struct rec_stack st;
	const struct rec_frame *f;
	char buf[512], *where;

	if (!symbols || !s->n)
		return xstrdup("?");
	st = symbolize_stack(symbols, s->pc, s->n, false);
	f = rec_stack_user_frame(&st);
	where = xstrdup(f ? rec_frame_where(f, buf, sizeof(buf)) : "?");
	rec_stack_free(&st);
	return where;
}

/* "race between processes bus.cpu0 and bus.arb in delta 3: writes level at a.cpp:12 and reads it at a.cpp:30". */
static char *process_text(const struct race_note *note, const struct session_race *race)
{
	const char *does[2];

	for (int i = 0; i < 2; i++)
		does[i] = race->flags[i] & MEM_WRITE ? "writes" : "reads";
	return xasprintf("race between processes %s and %s in delta %" PRIu64 ": %s %s at %s and %s it at %s",
		note->process[0], note->process[1], note->delta, does[0], note->object, note->where[0], does[1],
		note->where[1]);
}

static char *text_of(const struct race_note *note, const struct session_race *race, const struct thread_names *names)
{
	char name[2][64];

	for (int i = 0; i < 2; i++) {
		if (race->thread[i] < names->count)
			thread_name_format(names, (thread_id)race->thread[i], name[i], sizeof(name[i]));
		else
			strcpy(name[i], "?");
	}
	return xasprintf("%s: %s at %s by %s, %s at %s by %s", note->object, did(race->flags[0]), note->where[0], name[0],
		did(race->flags[1]), note->where[1], name[1]);
}

static void describe(struct race_note *note, const struct session_races *all, const struct session_race *race,
	const struct thread_names *names, struct symbols *symbols, const struct recording *known)
{
	note->object = object_of(race, all, symbols, known);
	for (int i = 0; i < 2; i++)
		note->where[i] = stack_where(&race->stack[i], symbols);
	for (int i = 0; i < 2; i++)
		note->process[i] = printable(race->process[i], PRINTABLE_LINE);
	note->delta = race->delta;
	note->text = note->process[0][0] ? process_text(note, race) : text_of(note, race, names);
	note->certain = race->certain;
	note->locked = ((race->flags[0] | race->flags[1]) & MEM_ATOMIC) != 0;
	note->count = race->count;
}

static void free_note(struct race_note *note)
{
	free(note->object);
	free(note->where[0]);
	free(note->where[1]);
	free(note->process[0]);
	free(note->process[1]);
	free(note->text);
}

char *race_text(const struct session_races *races, uint32_t i, const struct thread_names *names,
	struct symbols *symbols, const struct recording *known)
{
	struct race_note note = {0};
	char *text;

	describe(&note, races, &races->race[i], names, symbols, known);
	text = note.text;
	note.text = NULL;
	free_note(&note);
	return text;
}

/* Returns whether two races look the same to the reader: the same lines in either order, perhaps by several instructions. */
static bool same(const struct race_note *a, const struct race_note *b)
{
	if (strcmp(a->object, b->object) != 0 || !a->process[0][0] != !b->process[0][0])
		return false;
	for (int i = 0; i < 2; i++)
		if (strcmp(a->where[0], b->where[i]) == 0 && strcmp(a->where[1], b->where[!i]) == 0 &&
		    strcmp(a->process[0], b->process[i]) == 0 && strcmp(a->process[1], b->process[!i]) == 0)
			return true;
	return false;
}

static void add_race(struct race_notes *out, struct race_note *note)
{
	for (size_t i = 0; i < out->n; i++) {
		if (!same(&out->note[i], note))
			continue;
		out->note[i].count += note->count;
		out->note[i].certain |= note->certain;
		out->note[i].locked &= note->locked;
		free_note(note);
		return;
	}
	out->note = xgrow(out->note, out->n, sizeof(*out->note));
	out->note[out->n++] = *note;
}

void races_describe(struct race_notes *out, const struct session_races *races, const struct thread_names *names,
	struct symbols *symbols, const struct recording *known)
{
	memset(out, 0, sizeof(*out));
	for (uint32_t i = 0; i < races->n && i < SESSION_RACES; i++) {
		struct race_note note = {0};
		enum process_access access =
			races->race[i].process[0][0] ? process_race_access(&races->race[i], symbols) : ACCESS_OWN;

		out->unnamed += access == ACCESS_UNNAMED;
		if (access != ACCESS_OWN)
			continue;
		describe(&note, races, &races->race[i], names, symbols, known);
		add_race(out, &note);
	}
	out->missed = races->missed;
	out->left_out = races->n > SESSION_RACES ? races->n - SESSION_RACES : 0;
}

/* Certainty of a race. */
enum sort {
	CERTAIN,
	POSSIBLE,
	UNLIKELY,
	PROCESSES, /* of SystemC */
};

static enum sort sort_of(const struct race_note *note)
{
	if (note->process[0][0])
		return note->locked ? UNLIKELY : PROCESSES;
	return note->certain ? CERTAIN : note->locked ? UNLIKELY : POSSIBLE;
}

static size_t count(const struct race_notes *notes, enum sort sort)
{
	size_t n = 0;

	for (size_t i = 0; i < notes->n; i++)
		n += sort_of(&notes->note[i]) == sort;
	return n;
}

static void print_list(const struct race_notes *notes, enum sort sort, size_t n, FILE *out)
{
	size_t shown = 0;

	for (size_t i = 0; i < notes->n; i++) {
		if (sort_of(&notes->note[i]) != sort)
			continue;
		if (shown++ == SHOWN) {
			fprintf(out, "  ... and %zu more; --json lists them all\n", n - SHOWN);
			return;
		}
		fprintf(out, "  %s\n", notes->note[i].text);
	}
}

/* Writes " (not treated as a bug; --fail-on-race does)", or nothing if races are bugs. */
static void treated(char *how, size_t size, size_t n, bool bugs)
{
	*how = '\0';
	if (!bugs)
		text_set(how, size, " (not treated as %s; --fail-on-race does)", n == 1 ? "a bug" : "bugs");
}

static void print_sort(const struct race_notes *notes, enum sort sort, bool bugs, FILE *out)
{
	size_t n = count(notes, sort);
	char how[80];

	if (!n)
		return;
	treated(how, sizeof(how), n, bugs);
	fprintf(out, "note: %zu %sdata race%s%s%s:\n", n, sort == CERTAIN ? "" : "possible ", n == 1 ? "" : "s", how,
		sort == CERTAIN ? ""
				: "; not a race if these accesses are atomic in the source; a plain binary "
				  "cannot tell");
	print_list(notes, sort, n, out);
}

static void print_processes(const struct race_notes *notes, bool bugs, FILE *out)
{
	size_t n = count(notes, PROCESSES);
	char how[80];

	treated(how, sizeof(how), n, bugs);
	if (n)
		fprintf(out, "note: %zu race%s of processes in one delta cycle%s:\n", n, n == 1 ? "" : "s", how);
	print_list(notes, PROCESSES, n, out);
}

static void print_missed(uint32_t missed, FILE *out)
{
	if (missed & RACES_UNSOUGHT)
		fprintf(out, "note: races of processes were not looked for: only --strategy steps does\n");
	if (missed & RACES_UNKNOWN)
		fprintf(out, "note: races of processes may have been missed: accesses of some steps are not known\n");
	if (missed & RACES_FULL)
		fprintf(out, "note: races of processes may have been missed: a delta cycle had too many steps or "
			     "accesses, or there were too many mutexes or races\n");
}

void races_print(const struct race_notes *notes, bool bugs, FILE *out)
{
	size_t unlikely = count(notes, UNLIKELY);

	print_sort(notes, CERTAIN, bugs, out);
	print_sort(notes, POSSIBLE, bugs, out);
	print_processes(notes, bugs, out);
	if (unlikely)
		fprintf(out, "note: %zu unordered pair%s of accesses, probably all atomic; --json lists %s\n", unlikely, unlikely == 1 ? "" : "s",
			unlikely == 1 ? "it" : "them");
	if (notes->unnamed)
		fprintf(out,
			"note: %u pair%s of accesses in one delta cycle, by the program or by SystemC's channels: "
			"without names of functions (is it stripped?) simul cannot tell whether processes race\n",
			notes->unnamed, notes->unnamed == 1 ? "" : "s");
	if (bugs)
		print_missed(notes->missed, out);
	if (notes->left_out)
		fprintf(out, "note: simul cannot list more than %u races\n", SESSION_RACES);
}

void races_free(struct race_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		free_note(&notes->note[i]);
	free(notes->note);
	memset(notes, 0, sizeof(*notes));
}
