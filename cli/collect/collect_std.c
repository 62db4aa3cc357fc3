#include "cli/collect/collect_std.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/symbols/std_lock.h"

/* What the uses of an object say about it. */
struct found {
	char kind[STD_LOCK_TEXT]; /* "": it is no lock of std */
	char *expression;         /* the best one so far */
	bool field;               /* it names a field */
	bool contradicted;        /* others mean something else */
};

/* Returns the last component of an expression: "items" of "self.items". */
static const char *member(const char *expression)
{
	const char *dot = strrchr(expression, '.');

	return dot ? dot + 1 : expression;
}

/* Adds an expression. A field says more than a variable, which may have different objects at different times. Where only the names of fields agree, as in
   `from.balance` and `to.balance`, the field is what is known. */
static void add_expression(struct found *f, char *text)
{
	bool field = strchr(text, '.');

	if (!f->expression || (field && !f->field)) {
		free(f->expression);
		f->expression = text;
		f->field = field;
		f->contradicted = false;
		return;
	}
	if (field == f->field && strcmp(text, f->expression) != 0) {
		const char *name = member(text);

		f->contradicted |= strcmp(name, member(f->expression)) != 0;
		free(f->expression);
		f->expression = xstrdup(name);
	}
	free(text);
}

static void note_use(struct found *f, const struct std_lock *l, const char *binary)
{
	char *text = std_lock_expression(l, binary);

	if (!f->kind[0] || strlen(l->kind) > strlen(f->kind)) /* "Mutex of Barrier" says more than "Mutex" */
		memcpy(f->kind, l->kind, sizeof(f->kind));
	if (text)
		add_expression(f, text);
}

/* Returns the object that has what is found of o: a futex is one with the word that is in the same step. */
static object_id with_word(const object_id *word, object_id o)
{
	return word[o - 1] ? word[o - 1] : o;
}

/* Returns by futex the object of its word, or 0. */
static object_id *find_words(const struct recording *r)
{
	object_id *word = xcalloc(r->n_objects, sizeof(*word));

	for (size_t i = 0; i < r->n_steps; i++) {
		const object_id *o = r->steps[i].obj;

		if (o[0] && o[1] && r->objects[o[0] - 1].kind == OBJ_FUTEX && r->objects[o[1] - 1].kind == OBJ_MEMORY)
			word[o[0] - 1] = o[1];
	}
	return word;
}

static void note_stack(struct found *found, const struct recording *r, const object_id *word, object_id o, const struct rec_stack *stack, const char *binary)
{
	struct std_lock l;

	if (o && (r->objects[o - 1].kind == OBJ_MEMORY || r->objects[o - 1].kind == OBJ_FUTEX) && std_lock_of(stack, &l))
		note_use(&found[with_word(word, o) - 1], &l, binary);
}

/* Returns the number of the object among those of its kind without a name, and whether there are others. */
static unsigned number_of(const struct recording *r, const struct found *found, size_t o, bool *several)
{
	unsigned number = 1, n = 0;

	for (size_t i = 0; i < r->n_objects; i++)
		if (!found[i].expression && r->objects[i].kind == r->objects[o].kind && !strcmp(found[i].kind, found[o].kind)) {
			n++;
			number += i < o;
		}
	*several = n > 1;
	return number;
}

static void name_lock(struct recording *r, const struct found *found, size_t o)
{
	struct rec_object *object = &r->objects[o];
	const struct found *f = &found[o];
	bool several;
	unsigned number = number_of(r, found, o, &several);

	free(object->name);
	if (f->expression)
		object->name = xasprintf("%s %s", f->kind, f->expression);
	else
		object->name = several ? xasprintf("%s#%u", f->kind, number) : xstrdup(f->kind);
}

void collect_std_locks(struct recording *r, const char *binary)
{
	struct found *found = xcalloc(r->n_objects, sizeof(*found));
	object_id *word = find_words(r);

	for (size_t i = 0; i < r->n_steps; i++)
		note_stack(found, r, word, r->steps[i].obj[0], &r->steps[i].stack, binary);
	for (size_t t = 0; t < r->n_threads; t++)
		note_stack(found, r, word, r->threads[t].pending_obj[0], &r->threads[t].stack, binary);
	for (size_t o = 0; o < r->n_objects; o++) {
		char *variable = found[o].kind[0] && r->objects[o].name ? std_lock_variable(r->objects[o].name) : NULL;

		if (variable || found[o].contradicted) {
			free(found[o].expression);
			found[o].expression = variable;
		}
	}
	for (size_t o = 0; o < r->n_objects; o++)
		if (found[o].kind[0])
			name_lock(r, found, o);
	for (size_t o = 0; o < r->n_objects; o++)
		if (word[o] && found[word[o] - 1].kind[0]) {
			free(r->objects[o].name);
			r->objects[o].name = xstrdup(r->objects[word[o] - 1].name);
		}
	for (size_t o = 0; o < r->n_objects; o++)
		free(found[o].expression);
	free(found);
	free(word);
}
