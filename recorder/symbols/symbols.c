/* Modules, frames and functions: the part of the symbolizer that deals with code. symbols_memory.c deals with data addresses. */
#include "recorder/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/table.h"
#include "base/units.h"
#include "recorder/symbols/symbols_internal.h"

#include <dwarf.h>

#include "base/base_name.h"
#include "base/xalloc.h"

static char *debuginfo_path; /* NULL: libdwfl's default. A variable because libdwfl takes its address */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.debuginfo_path = &debuginfo_path,
};

/* Declares that [low, high) is the stack of the thread called `thread` ("T0.1"). */
static void add_stack(struct symbols *s, const char *thread, uint64_t low, uint64_t high)
{
	s->stacks = xgrow(s->stacks, s->n_stacks, sizeof(*s->stacks));
	s->stacks[s->n_stacks++] = (struct named_range){ xstrdup(thread), low, high };
}

/* Finds the mappings that the kernel names: the main thread's stack and the heap. */
static void find_named_mappings(struct symbols *s, const char *maps)
{
	for (const char *line = maps; line && *line; line = strchr(line, '\n')) {
		unsigned long long low, high;
		size_t n;
		line += *line == '\n';
		n = strcspn(line, "\n");
		if (n <= 7 || sscanf(line, "%llx-%llx", &low, &high) != 2)
			continue;
		if (memcmp(line + n - 7, "[stack]", 7) == 0) {
			add_stack(s, "T0", low, high);
		} else if (memcmp(line + n - 6, "[heap]", 6) == 0) {
			s->heap[0].low = low;
			s->heap[0].high = high;
		}
	}
}

struct symbols *symbols_open(const char *maps_text)
{
	struct symbols *s = xcalloc(1, sizeof(*s));
	size_t n = strlen(maps_text);
	FILE *f;

	s->memory = -1;
	s->dwfl = dwfl_begin(&callbacks);
	if (!s->dwfl) {
		free(s);
		return NULL;
	}
	dwfl_report_begin(s->dwfl);
	f = n ? fmemopen((void *)(uintptr_t)maps_text, n, "r") : NULL;
	if (f) {
		/* a line that cannot be parsed ends the list; the modules before it are kept */
		dwfl_linux_proc_maps_report(s->dwfl, f);
		fclose(f);
	}
	dwfl_report_end(s->dwfl, NULL, NULL);
	find_named_mappings(s, maps_text);
	return s;
}

void symbols_close(struct symbols *s)
{
	if (!s)
		return;
	symbols_free_variables(s);
	symbols_free_threads(s);
	for (size_t i = 0; i < s->cache_size; i++)
		rec_stack_free(&s->cache[i].frames);
	free(s->cache);
	for (size_t i = 0; i < s->n_named; i++)
		free(s->named[i].name);
	free(s->named);
	for (size_t i = 0; i < s->n_stacks; i++)
		free(s->stacks[i].name);
	free(s->stacks);
	for (size_t i = 0; i < s->n_frames; i++)
		free(s->frames[i].pc);
	free(s->frames);
	free(s->blocks);
	free(s->heap_objects);
	dwfl_end(s->dwfl);
	free(s);
}

#define LIMIT_FACTOR 10 /* in real time, the limit is so many times that of processor time */

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

void symbols_limit(struct symbols *s, uint64_t ns)
{
	s->until_ns = now_ns(CLOCK_MONOTONIC) + LIMIT_FACTOR * ns;
	s->until_cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
}

bool symbols_late(const struct symbols *s)
{
	return s->late;
}

bool symbols_over(struct symbols *s)
{
	s->late |= s->until_ns && (now_ns(CLOCK_THREAD_CPUTIME_ID) >= s->until_cpu_ns || now_ns(CLOCK_MONOTONIC) >= s->until_ns);
	return s->late;
}

void symbols_add_name(struct symbols *s, uint64_t low, uint64_t high, const char *name)
{
	s->named = xgrow(s->named, s->n_named, sizeof(*s->named));
	s->named[s->n_named++] = (struct named_range){ xstrdup(name), low, high };
}

/* ---- one program counter ---- */

static void set_source(struct rec_frame *f, const char *path, const char *comp_dir, int line)
{
	const char *slash;
	char *full;

	if (!path)
		return;
	full = path[0] == '/' || !comp_dir ? xstrdup(path) : xasprintf("%s/%s", comp_dir, path);
	slash = strrchr(full, '/');
	f->file = xstrdup(slash ? slash + 1 : full);
	if (slash) {
		full[slash - full] = '\0';
		f->dir = full;
	} else {
		free(full);
	}
	f->line = line > 0 ? line : 0;
}

static const char *comp_dir_of(Dwarf_Die *cu)
{
	Dwarf_Attribute attr;

	return dwarf_attr(cu, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr) : NULL;
}

/* Sets the line of addr. Code without a line (line 0) gets the line of the code shortly before it. */
static void set_line_of(struct rec_frame *f, Dwfl_Module *module, uint64_t addr)
{
	Dwarf_Addr bias;
	Dwarf_Die *cu = symbols_unit_at(module, addr, &bias);

	for (unsigned back = 0; back < 64 && cu; back++) {
		Dwarf_Line *line = dwarf_getsrc_die(cu, addr - bias - back);
		int number = 0;
		const char *path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
		if (!path)
			return;
		if (dwarf_lineno(line, &number) != 0 || number == 0)
			continue;
		set_source(f, path, comp_dir_of(cu), number);
		return;
	}
}

/* Sets the call site of an inlined function. */
static void set_call_site(struct rec_frame *f, Dwarf_Die *cu, Dwarf_Die *inlined)
{
	Dwarf_Attribute attr;
	Dwarf_Word file = 0, line = 0;
	Dwarf_Files *files;
	size_t n;

	if (!dwarf_attr(inlined, DW_AT_call_line, &attr) || dwarf_formudata(&attr, &line) != 0 ||
		!dwarf_attr(inlined, DW_AT_call_file, &attr) || dwarf_formudata(&attr, &file) != 0)
		return;
	if (dwarf_getsrcfiles(cu, &files, &n) != 0 || file >= n)
		return;
	set_source(f, dwarf_filesrc(files, file, NULL, NULL), comp_dir_of(cu), (int)line);
}

static struct rec_frame *add_frame(struct rec_stack *out)
{
	out->frame = xgrow(out->frame, out->n, sizeof(*out->frame));
	memset(&out->frame[out->n], 0, sizeof(*out->frame));
	return &out->frame[out->n++];
}

/* Replaces *scope by the innermost scope in it that contains the address. */
static void go_inwards(Dwarf_Die *scope, uint64_t addr)
{
	Dwarf_Die child;
	bool deeper = dwarf_child(scope, &child) == 0;

	while (deeper) {
		if (dwarf_haspc(&child, addr) <= 0) {
			deeper = dwarf_siblingof(&child, &child) == 0;
			continue;
		}
		*scope = child;
		deeper = dwarf_child(scope, &child) == 0;
	}
}

/* Finds the function that contains the address in a scope that has no addresses itself. */
static bool find_hidden(Dwarf_Die *scope, uint64_t addr, Dwarf_Die *out, int depth)
{
	Dwarf_Die child;

	if (depth > SYMBOLS_NESTING || dwarf_child(scope, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_subprogram && dwarf_haspc(&child, addr) > 0) {
			*out = child;
			return true;
		}
		if (dwarf_haschildren(&child) > 0 && find_hidden(&child, addr, out, depth + 1))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* dwarf_getscopes does not find the body of a lambda in an inlined function: it belongs to a class in the abstract function, and neither has
   addresses. */
int symbols_scopes_at(Dwarf_Die *cu, uint64_t addr, Dwarf_Die **out)
{
	Dwarf_Die *found = NULL, innermost;
	int n = dwarf_getscopes(cu, addr, &found);

	*out = NULL;
	if (n > 0)
		innermost = found[0];
	free(found);
	if (n <= 0 && !find_hidden(cu, addr, &innermost, 0))
		return 0;
	if (n <= 0)
		go_inwards(&innermost, addr);
	return dwarf_getscopes_die(&innermost, out);
}

/* Appends a frame for each function around addr. Returns false when there is no debug information. */
static bool add_debug_frames(struct rec_stack *out, Dwfl_Module *module, uint64_t addr)
{
	Dwarf_Addr bias;
	Dwarf_Die *cu = symbols_unit_at(module, addr, &bias), *scopes, *inlined = NULL;
	size_t first = out->n;
	int n;

	if (!cu)
		return false;
	n = symbols_scopes_at(cu, addr - bias, &scopes);
	for (int i = 0; i < n; i++) {
		int tag = dwarf_tag(&scopes[i]);
		struct rec_frame *f;
		if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
			continue;
		f = add_frame(out);
		f->function = symbols_shorten(symbols_die_name(&scopes[i]));
		if (inlined)
			set_call_site(f, cu, inlined);
		else
			set_line_of(f, module, addr);
		if (tag == DW_TAG_subprogram)
			break;
		f->flags |= REC_FRAME_INLINED;
		inlined = &scopes[i];
	}
	free(scopes);
	return out->n > first;
}

const char *symbols_module_path(Dwfl_Module *module)
{
	const char *file = NULL, *name = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &file, NULL);

	return file ? file : name;
}

const char *symbols_module_name(Dwfl_Module *module)
{
	const char *path = module ? symbols_module_path(module) : NULL;

	return path ? base_name(path) : NULL;
}

/* Returns the address relative to the module, as addr2line expects it. */
static uint64_t module_offset(Dwfl_Module *module, uint64_t addr)
{
	GElf_Addr bias = 0;

	dwfl_module_getelf(module, &bias);
	return addr - bias;
}

/* For frames of the C library outside the program's frames only the function names are looked up. Unpacking libc's debug information
   would take longer than the rest of a report. */
static void add_frames(struct symbols *s, struct rec_stack *out, uint64_t pc, enum pc_role role)
{
	Dwfl_Module *module = dwfl_addrmodule(s->dwfl, pc);
	const char *name = symbols_module_name(module);
	uint64_t addr = role == PC_EXACT ? pc : pc - 1;
	size_t first = out->n;
	bool rust_std = false;

	if (!name || symbols_begins(name, "libsimul.so"))
		return;
	bool short_of_time = role != PC_BEHIND && symbols_over(s);
	if (role == PC_BEHIND || short_of_time || !add_debug_frames(out, module, addr)) {
		struct rec_frame *f = add_frame(out);
		const char *symbol = dwfl_module_addrname(module, addr);
		f->function = symbol ? symbols_shorten(symbols_demangle(symbol)) : NULL;
		if (role != PC_BEHIND && !short_of_time)
			set_line_of(f, module, addr);
		rust_std = symbol && symbols_rust_mangled(symbol) && symbols_rust_std(f->function);
	}
	for (size_t i = first; i < out->n; i++) {
		out->frame[i].module = xstrdup(name);
		out->frame[i].offset = module_offset(module, pc);
		if (!rust_std) /* else it is of the system, though its debug information is missing */
			symbols_classify(&out->frame[i]);
	}
}

/* ---- stacks ---- */

/* Returns the cache slot of pc: the one that has it, or the free one where it belongs. */
static struct cached_pc *cache_slot(struct cached_pc *cache, size_t size, uint64_t pc, enum pc_role role)
{
	return &cache[TABLE_SLOT(i, hash_spread(pc * 4 + role) >> 20, size,
		!cache[i].pc || (cache[i].pc == pc && cache[i].role == role))];
}

static void grow_cache(struct symbols *s)
{
	size_t size = s->cache_size ? s->cache_size * 2 : 256;
	struct cached_pc *cache = xcalloc(size, sizeof(*cache));

	for (size_t i = 0; i < s->cache_size; i++)
		if (s->cache[i].pc)
			*cache_slot(cache, size, s->cache[i].pc, s->cache[i].role) = s->cache[i];
	free(s->cache);
	s->cache = cache;
	s->cache_size = size;
}

static const struct rec_stack *frames_of(struct symbols *s, uint64_t pc, enum pc_role role)
{
	struct cached_pc *c;

	if (s->n_cached * 2 >= s->cache_size)
		grow_cache(s);
	c = cache_slot(s->cache, s->cache_size, pc, role);
	if (!c->pc) {
		c->pc = pc;
		c->role = role;
		add_frames(s, &c->frames, pc, role);
		s->n_cached++;
	}
	return &c->frames;
}

static bool in_libc(struct symbols *s, uint64_t pc)
{
	Dwfl_Module *module = dwfl_addrmodule(s->dwfl, pc);

	return module && symbols_begins(symbols_module_name(module), "libc.so");
}

struct rec_stack symbolize_stack(struct symbols *s, const uint64_t *pc, size_t n, bool first_is_exact)
{
	struct rec_stack out = { 0, NULL };
	bool program = false; /* a frame of the program was added */

	for (size_t i = 0; i < n; i++) {
		struct rec_stack copy;
		if (!pc[i])
			continue;
		copy = rec_stack_copy(frames_of(s, pc[i], i == 0 && first_is_exact ? PC_EXACT : program && in_libc(s, pc[i]) ? PC_BEHIND : PC_RETURN));
		for (size_t k = 0; k < copy.n; k++)
			program |= (*add_frame(&out) = copy.frame[k]).flags & REC_FRAME_USER;
		free(copy.frame);
	}
	return out;
}

char *symbolize_where(struct symbols *s, uint64_t pc)
{
	struct rec_stack st = symbolize_stack(s, &pc, 1, false);
	const struct rec_frame *f = rec_stack_user_frame(&st);
	char buf[512], *where = f ? xstrdup(rec_frame_where(f, buf, sizeof(buf))) : NULL;

	rec_stack_free(&st);
	return where;
}

char *symbolize_function(struct symbols *s, uint64_t addr)
{
	struct rec_stack st = symbolize_stack(s, &addr, 1, true);
	char *name = st.n ? xstrdup(st.frame[st.n - 1].function) : NULL;

	rec_stack_free(&st);
	return name;
}

char *symbolize_linker_name(struct symbols *s, uint64_t addr)
{
	Dwfl_Module *module = dwfl_addrmodule(s->dwfl, addr);
	GElf_Off offset;
	GElf_Sym sym;
	const char *name = module ? dwfl_module_addrinfo(module, addr, &offset, &sym, NULL, NULL, NULL) : NULL;

	return name && offset < sym.st_size && GELF_ST_TYPE(sym.st_info) == STT_FUNC ? xstrdup(name) : NULL;
}
