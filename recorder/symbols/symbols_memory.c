/*
 * Names data addresses: objects of the library, bytes of variables, of frames and of the heap, targets of pointers.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/state_places.h"
#include "base/xalloc.h"
#include "recorder/symbols/symbols_internal.h"

#define MAX_FRAME_PAGES 8 /* limit on the pages of a frame that are searched for its end */

/* ---- objects ---- */

static bool on_a_stack(const struct symbols *s, uint64_t addr)
{
	for (size_t i = 0; i < s->n_stacks; i++)
		if (addr >= s->stacks[i].low && addr < s->stacks[i].high)
			return true;
	return false;
}

char *symbolize_object(struct symbols *s, unsigned kind, uint64_t addr, uint64_t first_use_pc, struct symbols_frame in)
{
	Dwfl_Module *module = first_use_pc ? dwfl_addrmodule(s->dwfl, first_use_pc) : NULL;
	char *name = NULL;

	if (symbols_over(s))
		return NULL;
	if (kind == OBJ_NONE || kind == OBJ_THREAD || kind == OBJ_FD || kind == OBJ_PROCESS || kind >= OBJ_COUNT)
		return NULL; /* addr is a number, not an address */
	if (stands_for_call_mutex(addr))
		return xstrdup("channel");
	name = symbols_variable(s, addr, 0, NULL);
	if (!name)
		name = symbolize_local(s, in, addr, 0, NULL);
	if (!name && module && on_a_stack(s, addr))
		name = symbols_local(s, kind, first_use_pc);
	if (!name && module) {
		struct rec_stack st = symbolize_stack(s, &first_use_pc, 1, false);
		name = symbols_from_source(rec_stack_user_frame(&st), kind, symbols_module_path(module));
		rec_stack_free(&st);
	}
	return name;
}

/* ---- memory ---- */

char *symbolize_local(struct symbols *s, struct symbols_frame in, uint64_t addr, uint64_t size, struct value_type *value)
{
	return in.pc && !symbols_over(s) ? symbols_in_frame(s, in.pc, in.end, addr, size, value) : NULL;
}

void symbols_add_heap(struct symbols *s, uint64_t low, uint64_t high)
{
	int i = s->heap[1].high ? 2 : 1;

	s->heap[i].low = low;
	s->heap[i].high = high;
}

void symbols_add_frames(struct symbols *s, const uint64_t *pc, size_t n)
{
	struct thread_frames *f;

	s->frames = xgrow(s->frames, s->n_frames, sizeof(*s->frames));
	f = &s->frames[s->n_frames++];
	f->n = n;
	f->pc = xcalloc(n, sizeof(*pc));
	memcpy(f->pc, pc, n * sizeof(*pc));
}

void symbols_set_memory(struct symbols *s, int fd)
{
	s->memory = fd;
}

static bool in_simul(struct symbols *s, uint64_t pc)
{
	Dwfl_Module *module = dwfl_addrmodule(s->dwfl, pc);
	const char *name = symbols_module_name(module);

	return name && strncmp(name, "libsimul.so", strlen("libsimul.so")) == 0;
}

static bool is_user(struct symbols *s, uint64_t pc)
{
	Dwfl_Module *module = dwfl_addrmodule(s->dwfl, pc);

	return module && !symbols_system_module(symbols_module_name(module));
}

/* Finds the variable in the frame that ends at `cfa`, below the return address `word`. simul's own frames are not listed, so if `word`
   returns into simul, every frame of the user is tried; only the right one has the variable. */
static char *local_below(struct symbols *s, uint64_t word, uint64_t cfa, uint64_t addr, uint64_t size, struct value_type *value)
{
	bool simul = in_simul(s, word);
	char *name = NULL;

	for (size_t t = 0; t < s->n_frames && !name; t++) {
		const struct thread_frames *f = &s->frames[t];
		for (size_t i = 0; i < f->n && !name; i++)
			if (simul ? is_user(s, f->pc[i]) : i + 1 < f->n && f->pc[i + 1] == word)
				name = symbols_in_frame(s, f->pc[i], cfa, addr, size, value);
	}
	return name;
}

/* Finds the variable on a stack at addr. Its frame ends at a word above addr that is a return address. A word that only looks like one
   does no harm, because no frame that ends there has a variable at addr. */
static char *local_at(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value)
{
	uint64_t at = addr & ~UINT64_C(7), word[512];
	char *name = NULL;

	for (unsigned pages = 0; pages < MAX_FRAME_PAGES && !name; pages++) {
		ssize_t n = pread(s->memory, word, sizeof(word), (off_t)at);
		for (ssize_t i = 0; i < n / 8 && !name; i++)
			if (word[i] >= 4096 && word[i] >> 47 == 0)
				name = local_below(s, word[i], at + (uint64_t)i * 8 + 8, addr, size, value);
		if (n != sizeof(word))
			break;
		at += sizeof(word);
	}
	return name;
}

static char *named_at(const struct symbols *s, uint64_t addr)
{
	for (size_t i = s->n_named; i-- > 0;)
		if (addr >= s->named[i].low && addr < s->named[i].high)
			return xstrdup(s->named[i].name);
	return NULL;
}

char *symbolize_memory(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value)
{
	char *name = named_at(s, addr);

	if (name || symbols_over(s))
		return name;
	name = symbols_variable(s, addr, size ? size : 1, value);
	if (!name && symbols_on_heap(s, addr))
		return symbols_in_heap_object(s, addr, size ? size : 1, value);
	if (!name && s->memory >= 0)
		name = local_at(s, addr, size ? size : 1, value);
	return name;
}

/* Returns the name of the function that begins there, or NULL. */
static char *function_at(struct symbols *s, uint64_t addr)
{
	Dwfl_Module *module = dwfl_addrmodule(s->dwfl, addr);
	GElf_Off offset;
	GElf_Sym sym;
	const char *name = module ? dwfl_module_addrinfo(module, addr, &offset, &sym, NULL, NULL, NULL) : NULL;

	return name && offset == 0 && GELF_ST_TYPE(sym.st_info) == STT_FUNC ? symbols_shorten(symbols_demangle(name)) : NULL;
}

char *symbolize_pointer(struct symbols *s, uint64_t addr)
{
	char *name, *full;

	if (symbols_over(s))
		return NULL;
	if (symbols_on_heap(s, addr))
		return symbolize_region(s, addr);
	name = function_at(s, addr);
	if (name)
		return name;
	name = symbols_variable(s, addr, SYMBOLS_WHOLE, NULL);
	if (!name && s->memory >= 0)
		name = local_at(s, addr, SYMBOLS_WHOLE, NULL);
	full = name ? xasprintf("&%s", name) : NULL;
	free(name);
	return full;
}

char *symbolize_expression(struct symbols *s, uint64_t addr, uint64_t pc, bool write)
{
	char line[512];

	return !symbols_over(s) && symbols_on_heap(s, addr) && symbols_line_at(s, pc, line, sizeof(line)) ? symbols_access_in_line(line, write) : NULL;
}

char *symbolize_region(struct symbols *s, uint64_t addr)
{
	char *block = symbols_block_name(s, addr);

	if (block)
		return block;
	for (int i = 0; i < 3; i++)
		if (addr >= s->heap[i].low && addr < s->heap[i].high)
			return xasprintf("heap+0x%llx", (unsigned long long)(addr - s->heap[i].low));
	for (size_t i = 0; i < s->n_stacks; i++)
		if (addr >= s->stacks[i].low && addr < s->stacks[i].high)
			return xasprintf("%s's stack", s->stacks[i].name);
	return NULL;
}
