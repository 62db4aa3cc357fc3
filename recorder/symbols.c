/* Modules, frames and functions: the part of the symboliser that deals with code. Addresses of data are for symbols_memory.c. */
#include "recorder/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "recorder/symbols_internal.h"

#include <dwarf.h>

#include "recorder/xalloc.h"

static char *debuginfo_path; /* NULL: libdwfl's default; it wants the address of a variable */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.debuginfo_path = &debuginfo_path,
};

/* The main thread's stack and the heap are the mappings that the kernel names. */
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
			symbols_add_stack(s, "T0", low, high);
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
		/* a line it cannot parse ends the list; the modules before it stay */
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

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

void symbols_limit(struct symbols *s, uint64_t ns)
{
	s->until_ns = now_ns() + ns;
}

bool symbols_late(const struct symbols *s)
{
	return s->late;
}

bool symbols_over(struct symbols *s)
{
	s->late |= s->until_ns && now_ns() >= s->until_ns;
	return s->late;
}

void symbols_add_stack(struct symbols *s, const char *thread, uint64_t low, uint64_t high)
{
	s->stacks = xgrow(s->stacks, s->n_stacks, sizeof(*s->stacks));
	s->stacks[s->n_stacks++] = (struct named_range){ xstrdup(thread), low, high };
}

void symbols_add_name(struct symbols *s, uint64_t low, uint64_t high, const char *name)
{
	s->named = xgrow(s->named, s->n_named, sizeof(*s->named));
	s->named[s->n_named++] = (struct named_range){ xstrdup(name), low, high };
}

/* ---- names ---- */

char *symbols_die_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
		dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr)) {
		name = dwarf_formstring(&attr);
		if (name)
			return symbols_demangle(name);
	}
	name = dwarf_attr_integrate(die, DW_AT_name, &attr) ? dwarf_formstring(&attr) : NULL;
	return xstrdup(name);
}

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool symbols_system_path(const char *dir)
{
	return starts_with(dir, "/usr/include") || starts_with(dir, "/usr/lib/gcc") ||
		starts_with(dir, "/usr/lib/llvm") || starts_with(dir, "/usr/bin/../");
}

bool symbols_system_module(const char *name)
{
	static const char *const names[] = { "libc.so", "libc-", "libpthread", "libstdc++.so", "libc++",
		"ld-linux", "ld-", "libm.so", "libgcc_s", "libtsan", "libunwind", "[vdso", "linux-vdso" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (starts_with(name, names[i]))
			return true;
	return false;
}

/* Code that the C++ library generates into the program, or the C start files; when there is no line to tell. */
static bool system_function(const char *name)
{
	return starts_with(name, "std::") || starts_with(name, "__gnu_cxx::") ||
		starts_with(name, "__gthread") || strcmp(name, "_start") == 0;
}

static void classify(struct rec_frame *f)
{
	bool system = (f->module && symbols_system_module(f->module)) || (f->dir && symbols_system_path(f->dir)) ||
		(!f->dir && f->function && system_function(f->function)) ||
		(f->file && f->function && strcmp(f->file, "simul.h") == 0 && starts_with(f->function, "simul_"));

	if (!system)
		f->flags |= REC_FRAME_USER;
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

/* clang writes no .debug_aranges, without which libdwfl finds no compilation unit: then each is asked. */
Dwarf_Die *symbols_unit_at(Dwfl_Module *module, uint64_t addr, Dwarf_Addr *bias)
{
	Dwarf_Die *cu = dwfl_module_addrdie(module, addr, bias);

	if (cu)
		return cu;
	while ((cu = dwfl_module_nextcu(module, cu, bias)))
		if (dwarf_haspc(cu, addr - *bias) > 0)
			return cu;
	return NULL;
}

static const char *comp_dir_of(Dwarf_Die *cu)
{
	Dwarf_Attribute attr;

	return dwarf_attr(cu, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr) : NULL;
}

/* The line of addr; code without a line of its own (line 0) counts to what precedes it closely. */
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

/* Where an inlined function was called from. */
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

int symbols_scopes_at(Dwarf_Die *cu, uint64_t addr, Dwarf_Die **out)
{
	Dwarf_Die *found = NULL, innermost;

	*out = NULL;
	if (dwarf_getscopes(cu, addr, &found) <= 0) {
		free(found);
		return 0;
	}
	innermost = found[0];
	free(found);
	return dwarf_getscopes_die(&innermost, out);
}

/* Appends a frame for each function around addr; false when there is no debug information. */
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
		f->function = symbols_die_name(&scopes[i]);
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

const char *symbols_base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

const char *symbols_module_path(Dwfl_Module *module)
{
	const char *file = NULL, *name = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &file, NULL);

	return file ? file : name;
}

/* Address in the module's own terms: what addr2line takes. */
static uint64_t module_offset(Dwfl_Module *module, uint64_t addr)
{
	GElf_Addr bias = 0;

	dwfl_module_getelf(module, &bias);
	return addr - bias;
}

/* Behind the program's frames of the C library only the functions' names are told: its debug information takes longer to unpack than the
   rest of a report. */
static void add_frames(struct symbols *s, struct rec_stack *out, uint64_t pc, enum pc_role role)
{
	Dwfl_Module *module = dwfl_addrmodule(s->dwfl, pc);
	const char *name = module ? symbols_base_name(symbols_module_path(module)) : NULL;
	uint64_t addr = role == PC_EXACT ? pc : pc - 1;
	size_t first = out->n;

	if (!name || starts_with(name, "libsimul.so"))
		return;
	bool short_of_time = role != PC_BEHIND && symbols_over(s);
	if (role == PC_BEHIND || short_of_time || !add_debug_frames(out, module, addr)) {
		struct rec_frame *f = add_frame(out);
		const char *symbol = dwfl_module_addrname(module, addr);
		f->function = symbol ? symbols_demangle(symbol) : NULL;
		if (role != PC_BEHIND && !short_of_time)
			set_line_of(f, module, addr);
	}
	for (size_t i = first; i < out->n; i++) {
		out->frame[i].module = xstrdup(name);
		out->frame[i].offset = module_offset(module, pc);
		classify(&out->frame[i]);
	}
}

/* ---- stacks ---- */

/* The place of pc in the cache: its own, or the free one where it belongs. */
static struct cached_pc *cache_slot(struct cached_pc *cache, size_t size, uint64_t pc, enum pc_role role)
{
	size_t i = (size_t)((pc * 4 + role) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (size - 1);

	while (cache[i].pc && (cache[i].pc != pc || cache[i].role != role))
		i = (i + 1) & (size - 1);
	return &cache[i];
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

	return module && starts_with(symbols_base_name(symbols_module_path(module)), "libc.so");
}

struct rec_stack symbolize_stack(struct symbols *s, const uint64_t *pc, size_t n, bool first_is_exact)
{
	struct rec_stack out = { 0, NULL };
	bool program = false; /* a frame of its own is among them */

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
