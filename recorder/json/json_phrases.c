/* Words of a recording as JSON. */
#include "recorder/json/json_phrases.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/printable.h"
#include "recorder/secrets.h"

json_t *json_text(const char *s)
{
	json_t *j = s ? json_string(s) : json_null();
	char *clean;

	if (j)
		return j;
	clean = printable(s, PRINTABLE_LINES); /* it is no UTF-8 */
	j = json_string(clean);
	free(clean);
	return j;
}

json_t *json_number(uint64_t v)
{
	return json_integer((json_int_t)v);
}

json_t *json_hex(uint64_t v)
{
	char buf[24];

	snprintf(buf, sizeof(buf), "0x%llx", (unsigned long long)v);
	return json_string(buf);
}

json_t *json_masked(char **list, bool env)
{
	char **masked = env ? secret_masked_variables(list) : secret_masked_arguments(list);
	json_t *a = json_strings(masked);

	secret_free_list(masked);
	return a;
}

json_t *json_strings(char **list)
{
	json_t *a = json_array();

	for (; list && *list; list++)
		json_array_append_new(a, json_text(*list));
	return a;
}

json_t *json_stack(const struct rec_stack *stack)
{
	json_t *a = json_array();

	for (size_t i = 0; i < stack->n; i++) {
		const struct rec_frame *f = &stack->frame[i];
		json_t *o = json_object();
		json_object_set_new(o, "function", json_text(f->function));
		json_object_set_new(o, "directory", json_text(f->dir));
		json_object_set_new(o, "file", json_text(f->file));
		json_object_set_new(o, "line", f->line ? json_integer(f->line) : json_null());
		json_object_set_new(o, "module", json_text(f->module));
		json_object_set_new(o, "offset", json_hex(f->offset));
		json_object_set_new(o, "user", json_boolean(f->flags & REC_FRAME_USER));
		json_object_set_new(o, "inlined", json_boolean(f->flags & REC_FRAME_INLINED));
		json_array_append_new(a, o);
	}
	return a;
}
