#include "cli/verdict/lock_advice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/collect/collect_heap.h"
#include "cli/collect/collect_memory.h"
#include "cli/supervise/search.h"
#include "recorder/symbols/symbols.h"
#include "sched/lock_words.h"

/* A function of the user's that takes a lock. */
struct taker {
	char *linker;  /* its name for the linker; NULL: it has none */
	char *shown;   /* the function in the source, with its line */
	char *inlined; /* the function into which the compiler has put that one; NULL: none */
};

struct advice {
	const struct lock_words *words;
	struct symbols *symbols;
	uint64_t like_lock; /* set of the sites that accessed words like locks */
	struct lock_advice *out;
};

static bool in_set(uint64_t set, uint32_t site)
{
	return set >> site & 1;
}

/* ---- functions ---- */

static void taker_free(struct taker *t)
{
	free(t->linker);
	free(t->shown);
	free(t->inlined);
	*t = (struct taker){0};
}

/* Describes the user's code at the return address. Returns false if there is none. */
static bool taker_at(struct symbols *s, uint64_t pc, struct taker *out)
{
	struct rec_stack st = symbolize_stack(s, &pc, 1, false);
	size_t i = 0, real;
	char where[512];

	*out = (struct taker){0};
	while (i < st.n && !(st.frame[i].flags & REC_FRAME_USER))
		i++;
	for (real = i; real + 1 < st.n && st.frame[real].flags & REC_FRAME_INLINED; real++)
		;
	if (i < st.n) {
		const struct rec_frame *f = &st.frame[i];

		rec_frame_where(f, where, sizeof(where));
		out->shown = f->function && f->file ? xasprintf("in %s, %s", f->function, where) : xasprintf("at %s", where);
		out->inlined = real > i && st.frame[real].function ? xstrdup(st.frame[real].function) : NULL;
		out->linker = symbolize_linker_name(s, pc - 1);
	}
	rec_stack_free(&st);
	return out->shown != NULL;
}

/* Finds the innermost function of the user's on the stack: where the instruction is, or around wrappers of atomic operations. */
static bool taker_on(struct symbols *s, const struct lock_stack *stack, struct taker *out)
{
	for (unsigned i = 0; i < LOCK_DEPTH && stack->pc[i]; i++)
		if (taker_at(s, stack->pc[i], out))
			return true;
	return false;
}

/* ---- doubts ---- */

/* Returns whether --lock with this name would also hold for a compare-and-swap that may take no lock. */
static bool is_doubtful(const struct advice *a, const char *linker)
{
	const struct lock_words *l = a->words;
	uint64_t sure = l->waited & a->like_lock & ~l->doubtful;
	bool doubt = false;

	for (uint32_t k = 0; k < l->stacks && !doubt; k++)
		for (unsigned i = 0; i < LOCK_DEPTH && l->stack[k].pc[i] && !doubt; i++) {
			char *name = symbolize_linker_name(a->symbols, l->stack[k].pc[i] - 1);
			uint32_t site = 0;

			while (site < l->sites && l->site[site] != l->stack[k].pc[0])
				site++;
			doubt = name && strcmp(name, linker) == 0 && (site == l->sites || !in_set(sure, site));
			free(name);
		}
	for (uint32_t site = 0; site < l->sites && !doubt; site++) { /* also those whose stacks are not known */
		char *name = in_set(sure, site) ? NULL : symbolize_linker_name(a->symbols, l->site[site] - 1);

		doubt = name && strcmp(name, linker) == 0;
		free(name);
	}
	return doubt;
}

/* ---- lines ---- */

static char *name_of_word(struct symbols *s, const struct lock_word *w, const struct lock_stack *stack)
{
	uint64_t size = w->hi - w->lo + 1;
	char *name;

	for (unsigned i = 0; i < LOCK_DEPTH && stack->pc[i]; i++)
		symbols_note_access(s, w->addr, size, stack->pc[i]);
	name = symbolize_memory(s, w->addr, size, NULL);
	if (!name)
		name = symbolize_region(s, w->addr);
	return name ? name : xasprintf("the word at 0x%" PRIx64, w->addr);
}

/* Adds the options for one word. The word needs a line of its own unless another one has the same options. */
static void add_line(struct advice *a, uint32_t word, const struct lock_stack *first, char *option, const struct taker *t)
{
	struct lock_advice *out = a->out;

	for (unsigned i = 0; i < out->lines; i++)
		if (strcmp(out->line[i].option, option) == 0) {
			out->line[i].others++;
			free(option);
			return;
		}
	if (out->lines == LOCK_ADVICE_LINES) {
		free(option);
		return;
	}
	out->line[out->lines++] = (struct lock_advice_line){
		.option = option,
		.word = name_of_word(a->symbols, &a->words->word[word], first),
		.inlined = t->inlined != NULL,
		.taker = t->inlined ? xasprintf("%s, inlined into %s", t->shown, t->inlined) : xstrdup(t->shown),
	};
}

/* Adds --lock for the function unless it is there. */
static void add_option(char **option, const char *linker)
{
	char *one = xasprintf("--lock '%s'", linker), *both;

	if (!*option || !strstr(*option, one)) {
		both = *option ? xasprintf("%s %s", *option, one) : xstrdup(one);
		free(*option);
		*option = both;
	}
	free(one);
}

static void advise(struct advice *a, uint32_t word)
{
	const struct lock_words *l = a->words;
	const struct lock_stack *first = NULL;
	struct taker shown = {0};
	char *option = NULL;
	bool doubt = false, nameless = false;

	for (uint32_t k = 0; k < l->stacks && !doubt; k++) {
		const struct lock_stack *stack = &l->stack[k];
		struct taker t;

		if (stack->word != word || !taker_on(a->symbols, stack, &t))
			continue;
		if (t.linker && !(doubt = is_doubtful(a, t.linker)))
			add_option(&option, t.linker);
		nameless |= !t.linker;
		if (!first) {
			first = stack;
			shown = t;
		} else {
			taker_free(&t);
		}
	}
	if (option && !doubt)
		add_line(a, word, first, option, &shown);
	else
		free(option);
	a->out->nameless += nameless && !option && !doubt;
	taker_free(&shown);
}

void lock_advice_find(struct lock_advice *out, const struct search *search)
{
	struct lock_words *words;
	struct advice a = {.out = out};

	if ((search->opt.quiet && !search->opt.json) || search->opt.certificate || !search->config.settings.patch || !search->maps)
		return;
	words = segment_lock_words(&search->seg);
	a.words = words;
	for (uint32_t i = 0; i < words->n; i++)
		if (lock_words_like_lock(words, i))
			a.like_lock |= words->word[i].sites;
	a.symbols = a.like_lock && !words->full ? symbols_open(search->maps) : NULL;
	if (a.symbols) {
		collect_add_heap(a.symbols, &search->seg);
		memory_names_add(a.symbols, &search->seg);
		for (uint32_t i = 0; i < words->n; i++)
			if (lock_words_like_lock(words, i))
				advise(&a, i);
	}
	symbols_close(a.symbols);
	free(words);
}

void lock_advice_show(const struct lock_advice *a)
{
	for (unsigned i = 0; i < a->lines; i++) {
		const struct lock_advice_line *n = &a->line[i];
		char more[64] = "";

		if (n->others)
			snprintf(more, sizeof(more), " and %u other word%s", n->others, n->others == 1 ? "" : "s");
		say("advice: %s%s (taken %s) behave%s like %s; if %s, add %s%s", n->word, more, n->taker, n->others ? "" : "s", n->others ? "locks" : "a lock",
			n->others ? "they are" : "it is one", n->option,
			n->inlined ? " (which has every compare-and-swap from 0 in such a function taken as a lock)" : "");
	}
	if (a->nameless)
		say("advice: %u word%s behave%s like a lock, but the functions that take %s have no names; --lock needs a program that is not stripped", a->nameless,
			a->nameless == 1 ? "" : "s", a->nameless == 1 ? "s" : "", a->nameless == 1 ? "it" : "them");
}

json_t *lock_advice_json(const struct lock_advice *a)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < a->lines; i++) {
		const struct lock_advice_line *n = &a->line[i];
		json_t *o = json_object();

		json_object_set_new(o, "word", json_text(n->word));
		json_object_set_new(o, "other_words", json_number(n->others));
		json_object_set_new(o, "taken", json_text(n->taker));
		json_object_set_new(o, "option", json_text(n->option));
		json_array_append_new(list, o);
	}
	return list;
}

void lock_advice_free(struct lock_advice *a)
{
	for (unsigned i = 0; i < a->lines; i++) {
		free(a->line[i].option);
		free(a->line[i].word);
		free(a->line[i].taker);
	}
	*a = (struct lock_advice){0};
}
