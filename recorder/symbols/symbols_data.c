/* Variables: globals by address, locals by frame; their names and types. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/symbols/symbols_internal.h"

/* ---- the variables of a module ---- */

/* Gets the fixed address of a variable; that of a thread-local one is its offset in its module's block. Returns false
   for variables in registers and in frames. */
static bool fixed_address(Dwarf_Die *die, uint64_t *addr, bool *thread_local)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &n) != 0 || n < 1)
		return false;
	*thread_local = n == 2 && (ops[1].atom == DW_OP_form_tls_address || ops[1].atom == DW_OP_GNU_push_tls_address);
	if (*thread_local) {
		*addr = ops[0].number;
		return ops[0].atom == DW_OP_const8u || ops[0].atom == DW_OP_const4u;
	}
	if (n != 1)
		return false;
	if (ops[0].atom == DW_OP_addr) {
		*addr = ops[0].number;
		return true;
	}
	if (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) {
		Dwarf_Attribute real;
		Dwarf_Addr a;
		if (dwarf_getlocation_attr(&attr, ops, &real) != 0 || dwarf_formaddr(&real, &a) != 0)
			return false;
		*addr = a;
		return true;
	}
	return false;
}

static void add_variable(struct variables *vs, Dwarf_Die *die, Dwarf_Addr bias, const char *function)
{
	struct variable v = { 0 }, **to;
	bool thread_local;
	size_t *n;
	char *name;

	if (!fixed_address(die, &v.addr, &thread_local))
		return;
	name = symbols_die_name(die);
	if (!name)
		return;
	v.name = function && !strstr(name, "::") ? xasprintf("%s::%s", function, name) : xstrdup(name);
	free(name);
	if (!thread_local)
		v.addr += bias;
	v.has_type = symbols_type_of(die, &v.type);
	v.size = v.has_type ? symbols_type_size(&v.type) : 0;
	if (v.size == 0)
		v.size = 1;
	to = thread_local ? &vs->local : &vs->v;
	n = thread_local ? &vs->n_local : &vs->n;
	*to = xgrow(*to, *n, sizeof(**to));
	(*to)[(*n)++] = v;
}

/* Collects the variables that are children of `scope`, and those of nested scopes. */
static void collect(struct variables *vs, Dwarf_Die *scope, Dwarf_Addr bias, const char *function, int depth)
{
	Dwarf_Die child;

	if (depth > SYMBOLS_NESTING || dwarf_child(scope, &child) != 0)
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_variable:
			add_variable(vs, &child, bias, function);
			break;
		case DW_TAG_subprogram:
			collect(vs, &child, bias, dwarf_diename(&child), depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_lexical_block:
		case DW_TAG_module:
			collect(vs, &child, bias, function, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

static int by_address(const void *a, const void *b)
{
	const struct variable *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static const struct variables *variables_of(struct symbols *s, Dwfl_Module *module)
{
	struct variables vs = { .module = module };
	Dwarf_Die *cu = NULL;
	Dwarf_Addr bias;

	for (size_t i = 0; i < s->n_variables; i++)
		if (s->variables[i].module == module)
			return &s->variables[i];
	while ((cu = dwfl_module_nextcu(module, cu, &bias)))
		collect(&vs, cu, bias, NULL, 0);
	if (vs.n)
		qsort(vs.v, vs.n, sizeof(*vs.v), by_address);
	if (vs.n_local)
		qsort(vs.local, vs.n_local, sizeof(*vs.local), by_address);
	s->variables = xgrow(s->variables, s->n_variables, sizeof(*s->variables));
	s->variables[s->n_variables] = vs;
	return &s->variables[s->n_variables++];
}

void symbols_free_variables(struct symbols *s)
{
	for (size_t i = 0; i < s->n_variables; i++) {
		for (size_t k = 0; k < s->variables[i].n; k++)
			free(s->variables[i].v[k].name);
		for (size_t k = 0; k < s->variables[i].n_local; k++)
			free(s->variables[i].local[k].name);
		free(s->variables[i].v);
		free(s->variables[i].local);
	}
	free(s->variables);
}

static const struct variable *find_variable(const struct variable *v, size_t n, uint64_t addr)
{
	size_t low = 0, high = n;

	while (low < high) { /* the first variable above addr */
		size_t mid = (low + high) / 2;
		if (v[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr - v[low - 1].addr < v[low - 1].size ? &v[low - 1] : NULL;
}

/* ---- addresses ---- */

struct search {
	uint64_t addr;
	Dwfl_Module *found;
};

/* Checks whether a loaded segment of the module, including its zeroed part, contains the address. */
static int module_contains(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr start, void *arg)
{
	struct search *search = arg;
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	size_t n;

	if (!elf || elf_getphdrnum(elf, &n) != 0)
		return DWARF_CB_OK;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;
		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD)
			continue;
		if (search->addr - bias - ph.p_vaddr < ph.p_memsz) {
			search->found = module;
			return DWARF_CB_ABORT;
		}
	}
	return DWARF_CB_OK;
}

/* Finds the module of an address in data. Zeroed data is above the mapped file, where libdwfl sees no module. */
static Dwfl_Module *data_module(struct symbols *s, uint64_t addr)
{
	struct search search = { addr, dwfl_addrmodule(s->dwfl, addr) };

	if (!search.found)
		dwfl_getmodules(s->dwfl, module_contains, &search, 0);
	return search.found;
}

static char *from_symbol_table(Dwfl_Module *module, uint64_t addr)
{
	GElf_Off offset;
	GElf_Sym sym;
	const char *name = dwfl_module_addrinfo(module, addr, &offset, &sym, NULL, NULL, NULL);
	char *plain, *text;

	if (!name || GELF_ST_TYPE(sym.st_info) != STT_OBJECT || offset >= sym.st_size)
		return NULL;
	plain = symbols_demangle(name);
	if (offset == 0)
		return plain;
	text = xasprintf("%s+0x%llx", plain, (unsigned long long)offset);
	free(plain);
	return text;
}

/* Returns the name of the bytes at this offset of the variable. */
static char *name_of_part(const struct variable *v, uint64_t offset, uint64_t size, struct value_type *value)
{
	char path[SYMBOLS_PATH_TEXT] = "";

	snprintf(path, sizeof(path), "%s", v->name);
	if (v->has_type)
		symbols_append_path(v->type, offset, size, path);
	if (v->has_type && value)
		symbols_value_type(v->type, offset, size, value);
	return xstrdup(path);
}

/* Returns the name of bytes at a fixed address. */
static char *global_name(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value)
{
	Dwfl_Module *module = data_module(s, addr);
	const struct variables *vs = module ? variables_of(s, module) : NULL;
	const struct variable *v = vs ? find_variable(vs->v, vs->n, addr) : NULL;

	if (v)
		return name_of_part(v, addr - v->addr, size, value);
	return module ? from_symbol_table(module, addr) : NULL;
}

char *symbols_variable(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value)
{
	char *name = global_name(s, addr, size, value);

	return name ? name : symbols_in_thread(s, addr, size, value);
}

char *symbols_thread_local(struct symbols *s, Dwfl_Module *module, uint64_t offset, uint64_t size,
	struct value_type *value)
{
	const struct variables *vs = variables_of(s, module);
	const struct variable *v = find_variable(vs->local, vs->n_local, offset);
	int n = v ? 0 : dwfl_module_getsymtab(module);

	if (v)
		return name_of_part(v, offset - v->addr, size, value);
	for (int i = 0; i < n; i++) {
		GElf_Sym sym;
		const char *name = dwfl_module_getsym(module, i, &sym, NULL);
		if (name && GELF_ST_TYPE(sym.st_info) == STT_TLS && offset - sym.st_value < sym.st_size)
			return symbols_demangle(name);
	}
	return NULL;
}

/* ---- locals ---- */

static const char *const type_words[OBJ_COUNT][3] = {
	[OBJ_MUTEX] = { "mutex", "mtx_t", NULL },
	[OBJ_SPIN] = { "spinlock", NULL, NULL },
	[OBJ_COND] = { "cond", "cnd_t", NULL },
	[OBJ_RWLOCK] = { "rwlock", "shared_", NULL },
	[OBJ_SEM] = { "sem_t", "semaphore", NULL },
	[OBJ_BARRIER] = { "barrier", NULL, NULL },
	[OBJ_ONCE] = { "once", NULL, NULL },
};

/* Returns whether a name of the type denotes this kind of object. Looks through typedefs, not into members. */
static bool type_is(Dwarf_Die type, unsigned kind)
{
	for (int depth = 0; depth < 8; depth++) {
		const char *name = dwarf_diename(&type);
		int tag = dwarf_tag(&type);
		for (int i = 0; name && i < 3 && type_words[kind][i]; i++)
			if (tag != DW_TAG_pointer_type && strstr(name, type_words[kind][i]))
				return true;
		if ((tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type) ||
			!symbols_type_of(&type, &type))
			return false;
	}
	return false;
}

/* Counts the local variables of this kind in `scope`; *name becomes the name of the last one. */
static unsigned count_locals(Dwarf_Die *scope, unsigned kind, const char **name)
{
	unsigned n = 0;
	Dwarf_Die child, type;

	if (dwarf_child(scope, &child) != 0)
		return 0;
	do {
		uint64_t addr;
		bool thread_local;
		if (dwarf_tag(&child) != DW_TAG_variable || fixed_address(&child, &addr, &thread_local) ||
			!symbols_type_of(&child, &type) || !type_is(type, kind) || !dwarf_diename(&child))
			continue;
		*name = dwarf_diename(&child);
		n++;
	} while (dwarf_siblingof(&child, &child) == 0);
	return n;
}

char *symbols_local(struct symbols *s, unsigned kind, uint64_t pc)
{
	Dwarf_Addr bias;
	Dwfl_Module *module = dwfl_addrmodule(s->dwfl, pc - 1);
	Dwarf_Die *cu = module ? symbols_unit_at(module, pc - 1, &bias) : NULL, *scopes = NULL;
	const char *name = NULL, *function = NULL;
	unsigned found = 0;
	int n = cu ? dwarf_getscopes(cu, pc - 1 - bias, &scopes) : 0;

	for (int i = 0; i < n && !function; i++) {
		found += count_locals(&scopes[i], kind, &name);
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			function = dwarf_diename(&scopes[i]);
	}
	free(scopes);
	return found == 1 && function ? xasprintf("%s::%s", function, name) : NULL;
}

/* ---- variables in a frame ---- */

/* Gets the address that offsets of the frame's variables are relative to. The frame pointer is two words below the canonical frame address. */
static bool frame_base(Dwarf_Die *function, uint64_t pc, uint64_t cfa, uint64_t *base)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attr) || dwarf_getlocation_addr(&attr, pc, &ops, &n, 1) != 1 ||
		n != 1)
		return false;
	if (ops[0].atom == DW_OP_call_frame_cfa)
		*base = cfa;
	else if (ops[0].atom == DW_OP_reg6)
		*base = cfa - 16;
	else
		return false;
	return true;
}

/* Returns "counter.n" for bytes of a variable among the children of `scope`, or NULL. */
static char *variable_in_scope(Dwarf_Die *scope, uint64_t pc, uint64_t base, uint64_t addr, uint64_t size,
	struct value_type *value)
{
	Dwarf_Die child, type;

	if (dwarf_child(scope, &child) != 0)
		return NULL;
	do {
		int tag = dwarf_tag(&child);
		Dwarf_Attribute attr;
		Dwarf_Op *ops;
		size_t n;
		uint64_t at;
		char path[SYMBOLS_PATH_TEXT] = "", *name;
		if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
			!dwarf_attr_integrate(&child, DW_AT_location, &attr) ||
			dwarf_getlocation_addr(&attr, pc, &ops, &n, 1) != 1 || n != 1 ||
			ops[0].atom != DW_OP_fbreg || !symbols_type_of(&child, &type))
			continue;
		at = base + ops[0].number;
		if (addr < at || addr - at >= symbols_type_size(&type))
			continue;
		name = symbols_die_name(&child);
		snprintf(path, sizeof(path), "%s", name ? name : "?");
		free(name);
		symbols_append_path(type, addr - at, size, path);
		if (value)
			symbols_value_type(type, addr - at, size, value);
		return xstrdup(path);
	} while (dwarf_siblingof(&child, &child) == 0);
	return NULL;
}

/* Returns "main::name". The body of each test of GoogleTest is called TestBody, so that name says nothing. */
static char *in_scope(const char *function, const char *name)
{
	return function && strcmp(function, "TestBody") ? xasprintf("%s::%s", function, name) : xstrdup(name);
}

char *symbols_in_frame(struct symbols *s, uint64_t pc, uint64_t cfa, uint64_t addr, uint64_t size, struct value_type *value)
{
	Dwarf_Addr bias;
	Dwfl_Module *module = dwfl_addrmodule(s->dwfl, pc - 1);
	Dwarf_Die *cu = module ? symbols_unit_at(module, pc - 1, &bias) : NULL, *scopes = NULL;
	int n = cu ? symbols_scopes_at(cu, pc - 1 - bias, &scopes) : 0, outer = 0;
	char *name = NULL, *full = NULL;
	uint64_t base;

	while (outer < n && dwarf_tag(&scopes[outer]) != DW_TAG_subprogram)
		outer++;
	if (outer < n && frame_base(&scopes[outer], pc - 1 - bias, cfa, &base)) {
		for (int i = 0; i <= outer && !name; i++)
			name = variable_in_scope(&scopes[i], pc - 1 - bias, base, addr, size, value);
		if (name)
			full = in_scope(dwarf_diename(&scopes[outer]), name);
	}
	free(name);
	free(scopes);
	return full;
}
