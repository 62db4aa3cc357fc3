#include "recorder/report/calls.h"

#include <ctype.h>
#include <string.h>

const char *call_function(const struct rec_stack *stack)
{
	const struct rec_frame *f = rec_stack_user_frame(stack);

	return f && (f->flags & REC_FRAME_USER) ? f->function : NULL;
}

/* Returns whether a word of a name begins at `at`: my_Name, myName. */
static bool begins_word(const char *name, const char *at)
{
	return at == name || !isalpha((unsigned char)at[-1]) ||
	       (isupper((unsigned char)*at) && !isupper((unsigned char)at[-1]));
}

bool call_is_named(const char *function, const char *const *words, size_t n)
{
	const char *colon = function ? strrchr(function, ':') : NULL, *name = colon ? colon + 1 : function;

	for (size_t i = 0; name && i < n; i++)
		for (const char *at = name; (at = strcasestr(at, words[i])); at++)
			if (begins_word(name, at))
				return true;
	return false;
}

size_t call_last_step(const struct recording *r, thread_id t, size_t end)
{
	while (end-- > 0)
		if (r->steps[end].thread == t && r->steps[end].kind != EV_UPDATE && r->steps[end].kind != EV_DEATH)
			return end;
	return NO_STEP;
}

static bool has_function(const struct rec_stack *stack, const char *function)
{
	for (size_t i = 0; i < stack->n; i++)
		if (stack->frame[i].function && !strcmp(stack->frame[i].function, function))
			return true;
	return false;
}

size_t call_first_step(const struct recording *r, thread_id t, size_t last, const char *function)
{
	size_t first = NO_STEP;

	while (function && last != NO_STEP && has_function(&r->steps[last].stack, function)) {
		first = last;
		last = call_last_step(r, t, last);
	}
	return first;
}

bool call_same_place(const struct rec_step *a, const struct rec_step *b)
{
	const struct rec_frame *f = a->stack.frame, *g = b->stack.frame;

	return a->stack.n && b->stack.n && f->module && g->module && f->offset == g->offset &&
	       !strcmp(f->module, g->module);
}
