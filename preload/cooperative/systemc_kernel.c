#include "preload/cooperative/systemc_kernel.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "base/base_name.h"
#include "preload/base/real.h"
#include "preload/base/state.h"
#include "preload/control/core.h"
#include "preload/base/rules.h"

#define BUILD_ID 20
#define CONTEXT "_ZN7sc_core18sc_curr_simcontextE"
#define LIST_END ((void *)(uintptr_t)0xdb) /* ends each list, so that the link of a runnable process is never null */

/* Offsets in the classes sc_simcontext, sc_runnable, sc_process_b, sc_thread_process and sc_cor_qt. */
struct layout {
	unsigned char build_id[BUILD_ID];
	uint16_t current, runnable, delta, error, coroutine;                                   /* of sc_simcontext */
	uint16_t methods_push, methods_tail, methods_pop, threads_push, threads_tail, threads_pop; /* of sc_runnable */
	uint16_t name, next, own_coroutine;                                                    /* of a process */
	uint16_t stack_size, stack;                                                            /* of sc_cor_qt */
};

/* Debian's libsystemc 2.3.4-2, amd64. */
static const struct layout layouts[] = {
	{
		.build_id = { 0x95, 0x64, 0x0a, 0x30, 0x8e, 0x2f, 0xdb, 0xc3, 0xac, 0xb6, 0xbf, 0x06, 0xa9, 0x98, 0x6a, 0xe0, 0x60, 0xe3, 0xb4, 0xec },
		.current = 0x40, .runnable = 0xe8, .delta = 0x120, .error = 0x138, .coroutine = 0x158,
		.methods_push = 0, .methods_tail = 8, .methods_pop = 16, .threads_push = 24, .threads_tail = 32, .threads_pop = 40,
		.name = 0x40, .next = 0xf8, .own_coroutine = 0x168,
		.stack_size = 8, .stack = 16,
	},
};

static const struct layout *layout; /* NULL: no known libsystemc is loaded */
static void **context;              /* the library's variable that points to the simulation context */

#define INTERPOSED(result, name, arguments, symbol) result(*systemc_real_##name) arguments;
#include "preload/cooperative/systemc.def"
#undef INTERPOSED

/* ---- which libsystemc ---- */

struct module {
	uintptr_t pc; /* address in the module that is looked for; 0: the module is looked for by the name libsystemc */
	bool found;
	const char *path;
	const struct layout *layout;
};

static const struct layout *layout_of(const unsigned char *build_id)
{
	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
		if (!memcmp(layouts[i].build_id, build_id, BUILD_ID))
			return &layouts[i];
	return NULL;
}

/* Looks for the build-id in the notes [at, end). */
static const struct layout *layout_in_notes(const char *at, const char *end)
{
	while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		size_t name = (note->n_namesz + 3u) & ~3u, size = (note->n_descsz + 3u) & ~3u;
		const char *text = at + sizeof *note;
		if (name > (size_t)(end - text) || size > (size_t)(end - text) - name)
			return NULL;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(text, "GNU", 4) && note->n_descsz == BUILD_ID)
			return layout_of((const unsigned char *)text + name);
		at = text + name + size;
	}
	return NULL;
}

static bool contains(const struct dl_phdr_info *info, uintptr_t pc)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type == PT_LOAD && pc - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
			return true;
	}
	return false;
}

static int look_at_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct module *m = arg;
	(void)size;
	if (m->pc ? !contains(info, m->pc) : strncmp(base_name(info->dlpi_name), "libsystemc", 10))
		return 0;
	m->found = true;
	m->path = info->dlpi_name;
	for (unsigned i = 0; i < info->dlpi_phnum && !m->layout; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *at = (const char *)info->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_NOTE)
			m->layout = layout_in_notes(at, at + p->p_memsz);
	}
	return 1;
}

/* Finds the functions in the library itself, because the program may have opened it with RTLD_LOCAL. The variable may be a copy in the
   program. */
static void find_symbols(const char *path)
{
	void *library = real_dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
#define INTERPOSED(result, name, arguments, symbol) *(void **)(void *)&systemc_real_##name = real_dlsym(library, #symbol);
#include "preload/cooperative/systemc.def"
#undef INTERPOSED
	context = real_dlsym(RTLD_DEFAULT, CONTEXT);
	if (!context)
		context = real_dlsym(library, CONTEXT);
}

void systemc_find(const void *pc)
{
	struct module m = { .pc = (uintptr_t)pc };
	dl_iterate_phdr(look_at_module, &m);
	if (!m.found)
		return;
	find_symbols(m.path);
	if (ctl_state != CTL_ON && !ctl_inside)
		return; /* in a process that simul does not control */
	if (m.layout && context) {
		layout = m.layout;
		return;
	}
	struct session_control *c = &ctl_session->ctl;
	c->cooperative |= SYSTEMC_UNKNOWN;
	strncpy(c->systemc_path, m.path, sizeof c->systemc_path - 1);
}

void systemc_look(const void *pc)
{
	if (systemc_real_run_process)
		return;
	bool inside = ctl_enter();
	systemc_find(pc);
	if (inside)
		ctl_leave();
}

bool systemc_known(void)
{
	return layout != NULL;
}

/* ---- its data ---- */

static void *read_at(const void *object, size_t offset)
{
	void *value;
	memcpy(&value, (const char *)object + offset, sizeof value);
	return value;
}

static void write_at(void *object, size_t offset, void *value)
{
	memcpy((char *)object + offset, &value, sizeof value);
}

bool systemc_failed(void)
{
	return read_at(*context, layout->error) != NULL;
}

void *systemc_main_coroutine(void)
{
	return read_at(*context, layout->coroutine);
}

void *systemc_current(void)
{
	return read_at(*context, layout->current);
}

void *systemc_stack(const void *coroutine, size_t *size)
{
	*size = (size_t)(uintptr_t)read_at(coroutine, layout->stack_size);
	return read_at(coroutine, layout->stack);
}

uint64_t systemc_delta(void)
{
	return (uint64_t)(uintptr_t)read_at(*context, layout->delta);
}

/* The name is a std::string, which begins with the pointer to its characters. */
const char *systemc_name(const void *process)
{
	return read_at(process, layout->name);
}

/* Appends to r the processes of a linked list that begins with `first`. Returns their number. */
static unsigned append(struct systemc_runnable *r, void *first, bool threads)
{
	unsigned before = r->n;
	for (void *p = first; p != LIST_END; p = read_at(p, layout->next)) {
		if (threads && !read_at(p, layout->own_coroutine))
			continue;
		if (r->n == CHOOSE_MOST) {
			r->full = true;
			break;
		}
		r->process[r->n++] = p;
	}
	return r->n - before;
}

/* Empties a push list, whose head is a process that never runs. */
static void empty(void *queues, size_t push, size_t tail, size_t pop)
{
	void *head = read_at(queues, push);
	write_at(head, layout->next, LIST_END);
	write_at(queues, tail, head);
	write_at(queues, pop, LIST_END);
}

/* Sets the links of a list to null: its processes are not runnable. */
static void unlink_all(void *first)
{
	while (first != LIST_END) {
		void *next = read_at(first, layout->next);
		write_at(first, layout->next, NULL);
		first = next;
	}
}

void systemc_take(struct systemc_runnable *r)
{
	void *q = read_at(*context, layout->runnable);
	void *list[4] = { read_at(q, layout->methods_pop), read_at(read_at(q, layout->methods_push), layout->next),
		read_at(q, layout->threads_pop), read_at(read_at(q, layout->threads_push), layout->next) };
	r->n = 0;
	r->full = false;
	r->popped_methods = append(r, list[0], false);
	r->methods = r->popped_methods + append(r, list[1], false);
	r->popped_threads = append(r, list[2], true);
	append(r, list[3], true);
	if (r->full)
		return;
	for (int i = 0; i < 4; i++)
		unlink_all(list[i]);
	empty(q, layout->methods_push, layout->methods_tail, layout->methods_pop);
	empty(q, layout->threads_push, layout->threads_tail, layout->threads_pop);
}

static void push(void *queues, size_t tail, void *process)
{
	write_at(process, layout->next, LIST_END);
	write_at(read_at(queues, tail), layout->next, process);
	write_at(queues, tail, process);
}

void systemc_put(const struct systemc_runnable *r, unsigned at, bool running)
{
	void *q = read_at(*context, layout->runnable);
	for (unsigned i = 0; i < r->n; i++) {
		bool method = i < r->methods;
		void *p = r->process[i];
		if (i != at) {
			push(q, method ? layout->methods_tail : layout->threads_tail, p);
		} else if (!running) {
			write_at(p, layout->next, LIST_END);
			write_at(q, method ? layout->methods_pop : layout->threads_pop, p);
		}
	}
}
