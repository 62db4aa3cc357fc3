#include "cli/collect/process_access.h"

#include <string.h>

/* Returns whether the text begins with one of the words. */
static bool begins(const char *text, const char *const *word)
{
	for (; *word; word++)
		if (!strncmp(text, *word, strlen(*word)))
			return true;
	return false;
}

/* Returns whether the function works with values that belong to its caller. */
static bool is_value_function(const struct rec_frame *f)
{
	static const char *const names[] = {"sc_core::sc_time::", "sc_core::sc_time ", "sc_dt::", "std::",
		"__gnu_cxx::", "tlm::tlm_generic_payload::", "tlm::tlm_extension", NULL};
	static const char *const files[] = {"sc_time.h", "tlm_generic_payload.h", "tlm_gp.h", NULL};

	if (f->function && begins(f->function, names))
		return true;
	if (f->dir && strstr(f->dir, "/sysc/datatypes"))
		return true;
	return f->dir && f->file && !(f->flags & REC_FRAME_USER) && begins(f->file, files);
}

/* Returns whether the function belongs to the kernel or to a channel of the library. */
static bool is_kernel_function(const struct rec_frame *f)
{
	static const char *const names[] = {"sc_core::", "tlm::", "tlm_utils::", NULL};

	if (f->dir)
		return strstr(f->dir, "/sysc/") || strstr(f->dir, "/tlm_core") || strstr(f->dir, "/tlm_utils");
	return f->function && begins(f->function, names);
}

/* Returns whether the function belongs to a channel, whose values it copies by the program's own operators. */
static bool is_channel_function(const struct rec_frame *f)
{
	static const char *const names[] = {
		"sc_core::sc_fifo<", "sc_core::sc_signal", "sc_core::sc_buffer<", "tlm::tlm_fifo<", NULL};
	static const char *const files[] = {"sc_fifo.h", "sc_signal.h", "sc_buffer.h", NULL};

	if (f->function && begins(f->function, names))
		return true;
	return f->dir && f->file && strstr(f->dir, "/sysc/communication") && begins(f->file, files);
}

enum process_access process_access(const struct session_stack *stack, struct symbols *symbols)
{
	struct rec_stack st;
	const struct rec_frame *own = NULL;
	bool kernel = false, named;

	if (!symbols || !stack->n)
		return ACCESS_UNNAMED;
	st = symbolize_stack(symbols, stack->pc, stack->n, false);
	for (size_t i = 0; i < st.n; i++) {
		const struct rec_frame *f = &st.frame[i];

		kernel |= is_channel_function(f) || (!own && !is_value_function(f) && is_kernel_function(f));
		if (!own && (f->flags & REC_FRAME_USER) && !is_value_function(f))
			own = f;
	}
	kernel |= !own;
	named = own && own->function;
	rec_stack_free(&st);
	if (kernel)
		return ACCESS_KERNEL;
	return named ? ACCESS_OWN : ACCESS_UNNAMED;
}

enum process_access process_race_access(const struct session_race *race, struct symbols *symbols)
{
	enum process_access a = process_access(&race->stack[0], symbols), b = process_access(&race->stack[1], symbols);

	if (a == ACCESS_KERNEL || b == ACCESS_KERNEL)
		return ACCESS_KERNEL;
	return a == ACCESS_OWN ? b : a;
}
