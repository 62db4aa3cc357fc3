#include "preload/cooperative/systemc_kernel.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "preload/base/real.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/cooperative/library.h"
#include "preload/failure/imports.h"
#include "sched/policy.h"
#include "preload/base/rules.h"

#define CONTEXT "_ZN7sc_core18sc_curr_simcontextE"
#define COROUTINES "_ZN7sc_core13sc_cor_pkg_qt14instance_countE"
#define LIST_END ((void *)(uintptr_t)0xdb) /* ends each list, so that the link of a runnable process is never null */

/* Offsets in the classes sc_simcontext, sc_runnable, sc_process_b, sc_thread_process and sc_cor_qt. */
struct layout {
	unsigned char build_id[LIBRARY_BUILD_ID];
	uint16_t current, runnable, delta, error, coroutine;                                   /* of sc_simcontext */
	uint16_t methods_push, methods_tail, methods_pop, threads_push, threads_tail, threads_pop; /* of sc_runnable */
	uint16_t name, next, own_coroutine;                                                    /* of a process */
	uint16_t trigger, event, event_list, static_events;                                    /* of a process: what it waits for */
	uint16_t stack_size, stack, left_at;                                                   /* of sc_cor_qt */
	uint16_t registry, update_list, update_next;                                           /* of sc_simcontext, its registry, a channel */
	uint16_t parent, children, lists_children; /* of sc_object, and of its vtable */
	uint16_t notified;                                                                     /* of sc_event */
	uint16_t timed;                                                                        /* of sc_simcontext: the queue of timed events */
	uint16_t times, now;                                                                   /* of sc_simcontext */
	uint16_t resolution, resolution_fixed; /* its parameters of time */
	uint16_t running;                                                                      /* from the variable COROUTINES */
};

/* Debian's libsystemc 2.3.4-2, amd64. */
static const struct layout layouts[] = {
	{
		.build_id = {0x95, 0x64, 0x0a, 0x30, 0x8e, 0x2f, 0xdb, 0xc3, 0xac,
			0xb6, 0xbf, 0x06, 0xa9, 0x98, 0x6a, 0xe0, 0x60, 0xe3, 0xb4, 0xec},
		.current = 0x40,
		.runnable = 0xe8,
		.delta = 0x120,
		.error = 0x138,
		.coroutine = 0x158,
		.methods_push = 0,
		.methods_tail = 8,
		.methods_pop = 16,
		.threads_push = 24,
		.threads_tail = 32,
		.threads_pop = 40,
		.name = 0x40,
		.next = 0xf8,
		.own_coroutine = 0x168,
		.trigger = 0x160,
		.event = 0x90,
		.event_list = 0xa0,
		.static_events = 0x120,
		.stack_size = 8,
		.stack = 16,
		.left_at = 24,
		.registry = 0x20,
		.update_list = 0x30,
		.update_next = 0x78,
		.notified = 0x38,
		.timed = 0xc0,
		.parent = 0x60,
		.children = 0x28,
		.lists_children = 0x28,
		.times = 0xf8,
		.resolution = 0,
		.resolution_fixed = 9,
		.now = 0x100,
		.running = 0x10,
	},
};

static const struct layout *layout; /* NULL: no known libsystemc is loaded */
static void **context;              /* the library's variable that points to the simulation context */
static char *coroutines;            /* a variable of the library near the one that points to the running coroutine */

#define INTERPOSED(result, name, arguments, symbol) result(*systemc_real_##name) arguments;
#include "preload/cooperative/systemc.def"
#undef INTERPOSED

/* ---- which libsystemc ---- */

static const struct layout *layout_of(const struct library *l)
{
	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
		if (library_is(l, layouts[i].build_id))
			return &layouts[i];
	return NULL;
}

/* Finds the functions in the library itself, because the program may have opened it with RTLD_LOCAL. The variable may be a copy in the
   program. */
static void find_symbols(const char *path)
{
	void *library = real_dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
#define INTERPOSED(result, name, arguments, symbol) *(void **)(void *)&systemc_real_##name = real_dlsym(library, #symbol);
#include "preload/cooperative/systemc.def"
#undef INTERPOSED
	coroutines = real_dlsym(library, COROUTINES);
	context = real_dlsym(RTLD_DEFAULT, CONTEXT);
	if (!context)
		context = real_dlsym(library, CONTEXT);
}

/* Functions that wait for an event or a timeout, whichever comes first. */
static const char *const with_time_out[] = {
	"_ZN7sc_core4waitERKNS_7sc_timeERKNS_8sc_eventEPNS_13sc_simcontextE",
	"_ZN7sc_core4waitERKNS_7sc_timeERKNS_16sc_event_or_listEPNS_13sc_simcontextE",
	"_ZN7sc_core4waitERKNS_7sc_timeERKNS_17sc_event_and_listEPNS_13sc_simcontextE",
	"_ZN7sc_core12next_triggerERKNS_7sc_timeERKNS_8sc_eventEPNS_13sc_simcontextE",
	"_ZN7sc_core12next_triggerERKNS_7sc_timeERKNS_16sc_event_or_listEPNS_13sc_simcontextE",
	"_ZN7sc_core12next_triggerERKNS_7sc_timeERKNS_17sc_event_and_listEPNS_13sc_simcontextE",
	NULL,
};
bool systemc_time_outs;

/* Functions that name a signal which resets a process at once when it changes. */
static const char *const with_reset[] = {
	"_ZN7sc_core9sc_module21async_reset_signal_isERKNS_15sc_signal_in_ifIbEEb",
	"_ZN7sc_core9sc_module21async_reset_signal_isERKNS_5sc_inIbEEb",
	"_ZN7sc_core9sc_module21async_reset_signal_isERKNS_6sc_outIbEEb",
	"_ZN7sc_core9sc_module21async_reset_signal_isERKNS_8sc_inoutIbEEb",
	"_ZN7sc_core16sc_spawn_options21async_reset_signal_isERKNS_15sc_signal_in_ifIbEEb",
	"_ZN7sc_core16sc_spawn_options21async_reset_signal_isERKNS_5sc_inIbEEb",
	"_ZN7sc_core16sc_spawn_options21async_reset_signal_isERKNS_6sc_outIbEEb",
	"_ZN7sc_core16sc_spawn_options21async_reset_signal_isERKNS_8sc_inoutIbEEb",
	NULL,
};
bool systemc_resets;

void systemc_find(const void *pc)
{
	struct library l = library_find("libsystemc", pc);
	if (!l.path)
		return;
	find_symbols(l.path);
	systemc_time_outs = imports_any(with_time_out);
	systemc_resets = imports_any(with_reset);
	if (ctl_state != CTL_ON && !ctl_inside)
		return; /* in a process that simul does not control */
	ctl_session->ctl.facts.cooperative |= SYSTEMC_LOADED;
	const struct layout *known = layout_of(&l);
	if (known && context) {
		layout = known;
		return;
	}
	struct session_policies *policies = &ctl_session->ctl.facts.policies;
	policies->unknown |= POLICY_BIT(POLICY_SYSTEMC);
	strncpy(policies->path, l.path, sizeof policies->path - 1);
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

uint64_t systemc_parent_word(uint64_t object)
{
	return object + layout->parent;
}

const void *systemc_lists_children(const void *object)
{
	return read_at(read_at(object, 0), layout->lists_children);
}

void *const *systemc_children_of(const void *object, size_t *n)
{
	void *const *first = read_at(object, layout->children);
	void *const *end = read_at(object, layout->children + sizeof(void *));
	*n = (size_t)(end - first);
	return first;
}

uint64_t systemc_timed_word(void)
{
	return (uintptr_t)read_at(*context, layout->timed) + sizeof(void *);
}

uint64_t systemc_resolution_word(void)
{
	const char *times = read_at(*context, layout->times);
	return times && times[layout->resolution_fixed] ? ((uintptr_t)times + layout->resolution_fixed) & ~UINT64_C(7) : 0;
}

unsigned systemc_switch_words(uint64_t word[2])
{
	if (!coroutines)
		return 0;
	word[0] = (uintptr_t)coroutines + layout->running;
	word[1] = (uintptr_t)read_at(coroutines, layout->running) + layout->left_at;
	return 2;
}

uint64_t systemc_left_at(const void *coroutine)
{
	return (uintptr_t)read_at(coroutine, layout->left_at);
}

void *systemc_coroutine(const void *process)
{
	return read_at(process, layout->own_coroutine);
}

/* Calls f for each element of a std::vector of pointers to events. */
static void each_event(const void *vector, void (*f)(uint64_t event))
{
	void **at = read_at(vector, 0), **end = read_at(vector, sizeof(void *));
	for (; at < end; at++)
		f((uintptr_t)*at);
}

/* The process's trigger type says which of the three its kernel looks at. All three may be set. */
bool systemc_waits_for(const void *process, void (*f)(uint64_t event))
{
	enum { STATIC, EVENT, OR_LIST, AND_LIST, TIMEOUT, EVENT_TIMEOUT, OR_LIST_TIMEOUT, AND_LIST_TIMEOUT };
	int trigger = (int)(uintptr_t)read_at(process, layout->trigger);
	switch (trigger) {
	case EVENT:
	case EVENT_TIMEOUT:
		f((uintptr_t)read_at(process, layout->event));
		break;
	case OR_LIST:
	case AND_LIST:
	case OR_LIST_TIMEOUT:
	case AND_LIST_TIMEOUT:
		each_event(read_at(process, layout->event_list), f);
		break;
	case TIMEOUT:
		break;
	default:
		each_event((const char *)process + layout->static_events, f);
	}
	return trigger >= TIMEOUT;
}

uint64_t systemc_update_list(void)
{
	return (uintptr_t)read_at(*context, layout->registry) + layout->update_list;
}

uint64_t systemc_next_update(uint64_t channel, uint64_t *link)
{
	*link = channel + layout->update_next;
	return (uintptr_t)read_at((const void *)channel, layout->update_next);
}

/* Looks at the name of the channel's class. The word before a vtable points to the type information, whose second word is the name. The
   updates of these classes write to the channel itself and notify its events. */
bool systemc_plain_channel(uint64_t channel)
{
	static const char *const names[] = { "N7sc_core7sc_fifoI", "N7sc_core9sc_signalI", "N7sc_core9sc_bufferI", "N7sc_core8sc_clockE" };
	const char *vtable = read_at((const void *)channel, 0), *type = vtable ? read_at(vtable - sizeof(void *), 0) : NULL;
	const char *name = type ? read_at(type, sizeof(void *)) : NULL;
	for (size_t i = 0; name && i < sizeof names / sizeof names[0]; i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

uint64_t systemc_event_word(uint64_t event)
{
	return event + layout->notified;
}

uint64_t systemc_delta(void)
{
	return (uint64_t)(uintptr_t)read_at(*context, layout->delta);
}

/* Returns the whole number from 1 to 2^53 of which this is the double. (Inside simul there is no floating point.) */
static uint64_t whole_number(uint64_t bits)
{
	uint64_t power = bits >> 52 & 0x7ff;
	if (power < 1023 || power > 1023 + 52)
		return 1;
	return (bits % (UINT64_C(1) << 52) + (UINT64_C(1) << 52)) >> (1023 + 52 - power);
}

uint64_t systemc_now(void)
{
	uint64_t femtoseconds = (uint64_t)(uintptr_t)read_at(read_at(*context, layout->times), layout->resolution);
	return (uint64_t)(uintptr_t)read_at(*context, layout->now) * whole_number(femtoseconds);
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

bool systemc_thread_waits(void)
{
	return read_at(read_at(*context, layout->runnable), layout->threads_pop) != LIST_END;
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
