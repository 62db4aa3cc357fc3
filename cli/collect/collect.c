#include "cli/collect/collecting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/base/proc_text.h"
#include "cli/collect/collect_frames.h"
#include "cli/collect/collect_heap.h"
#include "cli/collect/collect_std.h"
#include "cli/collect/collect_values.h"
#include "cli/base/say.h"
#include "cli/collect/kept_env.h"
#include "cli/supervise/watchdog.h"
#include "recorder/symbols/symbols.h"
#include "base/xalloc.h"

#define NAMES_MOST_NS UINT64_C(20000000000)
#define START_OF_T0 "main"

/* ---- what was run ---- */

static char **copy_list(char *const *list)
{
	size_t n = 0;
	char **copy;

	while (list[n])
		n++;
	copy = xcalloc(n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(list[i]);
	return copy;
}

static char *script_build_id(pid_t pid)
{
	char path[64];
	char *id;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	id = pid > 0 ? elf_build_id(path) : NULL;
	return id ? id : xstrdup("");
}

/* Copies the settings that determine memory addresses. */
static void describe_address_settings(struct recording *r, const struct target *t)
{
	struct environment_size size = target_environment(t);
	struct rlimit limit;

	r->start.env_entries = size.entries;
	r->start.env_bytes = size.bytes;
	r->start.stack_limit = getrlimit(RLIMIT_STACK, &limit) ? 0 : limit.rlim_cur;
}

static void describe_run(struct collecting *c)
{
	const struct collect_input *in = c->in;
	struct recording *r = c->r;
	struct env_reads reads = {.reads = &in->seg->session->reads, .maps = c->maps, .also = in->also};

	free(r->written_by);
	free(r->start.program);
	free(r->start.build_id);
	free(r->start.argv);
	r->written_by = xstrdup(SIMUL_VERSION);
	r->version = RECORDING_VERSION;
	r->start.program = xstrdup(in->target->path);
	r->start.build_id = in->target->script ? script_build_id(in->pid) : xstrdup(in->target->build_id);
	kept_env(r, in->target->env, &reads);
	kept_arguments(r, in->target->argv);
	free(r->start.cwd);
	r->start.cwd = in->target->cwd ? xstrdup(in->target->cwd) : getcwd(NULL, 0);
	if (!r->start.cwd)
		r->start.cwd = xstrdup("/");
	r->start.stdin_file = xstrdup(in->output->in_path);
	free(r->start.inherited);
	r->start.inherited = *in->target->inherited ? xstrdup(in->target->inherited) : NULL;
	r->settings = in->config->settings;
	free(r->patch_patterns);
	r->patch_patterns = copy_list(in->patterns);
	r->memory = rec_memory_copy(in->memory);
	describe_address_settings(r, in->target);
	r->pool = c->e->pool;
	free(r->strategy);
	r->strategy = xstrdup(in->strategy);
	r->execution = in->number;
}

/* ---- threads, objects, steps ---- */

static void mark(struct collecting *c, thread_id t)
{
	for (; t != NO_THREAD && t < c->e->names.count; t = t ? c->e->names.name[t].parent : NO_THREAD)
		c->index[t] = 0;
}

/* Numbers the threads that occur, and their ancestors. Ids are in the order of first creation, so parents come before their children. */
static void number_threads(struct collecting *c)
{
	const struct execution *e = c->e;
	thread_id n = 0;

	for (unsigned t = 0; t < e->names.count; t++)
		c->index[t] = NO_THREAD;
	mark(c, 0);
	for (uint32_t i = 0; i < e->n; i++)
		mark(c, event_owner(&e->events[i]));
	for (uint32_t t = 0; t < e->threads; t++)
		if (e->pending[t].kind != EV_NONE)
			mark(c, (thread_id)t);
	mark(c, (thread_id)e->bug.thread);
	for (int i = 0; i < 2 && e->bug.kind == BUG_MEMORY; i++)
		if (e->bug.memory.owner[i] < e->names.count)
			mark(c, (thread_id)e->bug.memory.owner[i]);
	for (unsigned t = 0; t < e->names.count; t++)
		if (c->index[t] != NO_THREAD)
			c->index[t] = n++;
	c->r->n_threads = n;
	c->r->threads = xcalloc(n, sizeof(*c->r->threads));
}

/* Finds the objects of an operation, as the recording numbers them. */
static void describe_use(struct collecting *c, const struct event *e, object_id obj[2])
{
	bool done = e >= c->e->events && e < c->e->events + c->e->n;
	object_id memory = memory_objects_use(&c->memory, c->in->memory, e, done ? (uint32_t)(e - c->e->events) : c->e->n);
	bool access = object_is_memory(e->obj[0]);

	for (int k = 0; k < 2; k++)
		obj[k] = object_is_memory(e->obj[k]) ? (access && k ? 0 : memory) :
			e->obj[k] > c->n_plain ? 0 : e->obj[k];
}

static void describe_thread(struct collecting *c, thread_id t)
{
	struct rec_thread *to = &c->r->threads[c->index[t]];
	struct session_thread where;
	char path[256];

	segment_thread(c->in->seg, t, &where);
	to->path = xstrdup(thread_name_format(&c->e->names, t, path, sizeof(path)));
	to->waits_for = NO_THREAD;
	if (t == 0)
		to->start = xstrdup(START_OF_T0);
	else if (c->symbols && where.start_pc)
		to->start = symbolize_function(c->symbols, where.start_pc);
	if (t >= c->e->threads || c->e->pending[t].kind == EV_NONE)
		return;
	to->pending_kind = c->e->pending[t].kind;
	describe_use(c, &c->e->pending[t], to->pending_obj);
	to->waits_for = where.alive ? collect_thread(c, where.waits_for) : NO_THREAD;
	to->stack = collect_stack(c, &where.frames.stack, c->e->pending[t].pc, false);
}

static void raise_to(object_id *max, object_id o)
{
	if (!object_is_memory(o) && o > *max)
		*max = o;
}

static object_id highest_object(const struct execution *e)
{
	object_id max = 0;

	raise_to(&max, e->bug.object);
	for (uint32_t i = 0; i < e->n; i++)
		for (int k = 0; k < 2; k++)
			raise_to(&max, e->events[i].obj[k]);
	for (uint32_t t = 0; t < e->threads; t++)
		for (int k = 0; k < 2; k++)
			if (e->pending[t].kind != EV_NONE)
				raise_to(&max, e->pending[t].obj[k]);
	return max <= SEGMENT_OBJECTS ? max : SEGMENT_OBJECTS;
}

/* Returns the kind of an object by its uses, for a process that died before it described its objects. The second object of an event is the
   mutex of a wait unless some event has it as its first object. */
static uint8_t kind_by_use(const struct execution *e, object_id o)
{
	for (uint32_t i = 0; i < e->n; i++)
		if (e->events[i].obj[0] == o && event_kind_object(e->events[i].kind) != OBJ_NONE)
			return (uint8_t)event_kind_object(e->events[i].kind);
	for (uint32_t t = 0; t < e->threads; t++)
		if (e->pending[t].obj[0] == o && event_kind_object(e->pending[t].kind) != OBJ_NONE)
			return (uint8_t)event_kind_object(e->pending[t].kind);
	return OBJ_MUTEX;
}

/* Returns by object the first event that uses it, at the index of its id; the number of events: none does. */
static uint32_t *first_uses(const struct execution *e, object_id n)
{
	uint32_t *first = xcalloc((size_t)n + 1, sizeof(*first));

	for (object_id o = 0; o <= n; o++)
		first[o] = e->n;
	for (uint32_t i = e->n; i-- > 0;)
		for (int k = 0; k < 2; k++)
			if (!object_is_memory(e->events[i].obj[k]) && e->events[i].obj[k] <= n)
				first[e->events[i].obj[k]] = i;
	return first;
}

static void describe_objects(struct collecting *c)
{
	object_id n = highest_object(c->e);
	uint32_t *first = first_uses(c->e, n);

	for (object_id o = 0; o < n; o++)
		c->r->objects = xgrow(c->r->objects, o, sizeof(*c->r->objects));
	c->r->n_objects = c->n_plain = n;
	for (object_id o = 1; o <= n; o++) {
		struct rec_object *to = &c->r->objects[o - 1];
		struct session_object from;

		segment_object(c->in->seg, o, &from);
		memset(to, 0, sizeof(*to));
		to->kind = (uint8_t)from.kind;
		to->number = from.number;
		if (from.kind == OBJ_NONE) {
			to->kind = kind_by_use(c->e, o);
			to->number = 1;
			for (object_id before = 1; before < o; before++)
				to->number += c->r->objects[before - 1].kind == to->kind;
			continue;
		}
		if (!c->symbols)
			continue;
		if (from.kind == OBJ_THREAD)
			continue; /* a thread is named by its path */
		to->name = symbolize_object(c->symbols, from.kind, from.addr, from.pc, collect_frame(c, first[o], from.addr));
		to->origin = symbolize_where(c->symbols, from.pc);
	}
	free(first);
}

/* Sets a step's data about store buffers. */
static void describe_buffering(const struct collecting *c, const struct event *e, struct rec_step *to)
{
	thread_id agent = e->kind == EV_UPDATE ? e->thread : event_buffered(e) ? (thread_id)e->result : NO_THREAD;

	if (agent == NO_THREAD)
		return;
	to->buffered = e->kind == EV_STORE;
	to->place = agent_name_place(&c->e->names.agent[agent - MAX_THREADS]);
	to->result = 0;
	if (e->kind == EV_UPDATE) {
		to->number = (uint16_t)update_number(e);
		to->epoch = (uint8_t)update_epoch(e);
	}
}

/* Gives each update the stack of its store: a buffered store reaches memory later, but the source line is the one that issued it. */
static void place_updates(struct recording *r)
{
	size_t *partner = xcalloc(r->n_steps, sizeof(*partner));

	recording_pair_stores(r, partner, NULL);
	for (size_t i = 0; i < r->n_steps; i++)
		if (r->steps[i].kind == EV_UPDATE && partner[i] < i) {
			rec_stack_free(&r->steps[i].stack);
			r->steps[i].stack = rec_stack_copy(&r->steps[partner[i]].stack);
		}
	free(partner);
}

static void describe_steps(struct collecting *c)
{
	const struct execution *e = c->e;

	c->r->n_steps = e->n;
	c->r->steps = xcalloc(e->n, sizeof(*c->r->steps));
	for (uint32_t i = 0; i < e->n; i++) {
		struct rec_step *to = &c->r->steps[i];
		struct session_frames frames;

		segment_frames(c->in->seg, i, &frames);
		if (frames.stack.n && e->events[i].pc && event_kind_object(e->events[i].kind) == OBJ_MEMORY)
			frames.stack.pc[0] = e->events[i].pc; /* a spin loop may be left at another instruction than it was entered */
		to->thread = collect_thread(c, event_owner(&e->events[i]));
		to->alt = e->events[i].alt;
		to->kind = e->events[i].kind;
		to->flags = e->events[i].flags;
		describe_use(c, &e->events[i], to->obj);
		to->result = e->events[i].result;
		describe_buffering(c, &e->events[i], to);
		to->stack = collect_stack(c, &frames.stack, e->events[i].pc, to->kind == EV_DEATH && collect_is_exact(&e->bug));
	}
	place_updates(c->r);
	values_collect(c->r, c->in->seg);
}

static void describe_labels(struct collecting *c)
{
	struct recording *r = c->r;
	struct session_label from;

	for (uint32_t i = 0; segment_label(c->in->seg, i, &from); i++) {
		thread_id thread = collect_thread(c, from.thread);
		size_t last = r->n_labels ? r->labels[r->n_labels - 1].before : 0;

		if (thread == NO_THREAD || from.step > r->n_steps || from.step < last)
			continue;
		r->labels = xgrow(r->labels, r->n_labels, sizeof(*r->labels));
		r->labels[r->n_labels++] =
			(struct rec_label){from.step, thread, (uint8_t)from.kind, xstrdup(from.text)};
	}
}

static void describe_timed_out(struct collecting *c)
{
	struct recording *r = c->r;
	struct session_timed_out t;

	memcpy(&t, &c->in->seg->session->timed_out, sizeof(t));
	if (!t.ns || !t.step || t.step > r->n_steps || (r->steps[t.step - 1].result != ETIMEDOUT && r->steps[t.step - 1].kind != EV_SLEEP))
		return;
	r->timed_out.ns = t.ns;
	r->timed_out.step = t.step;
	r->timed_out.other = collect_thread(c, t.other);
}

/* ---- all of it ---- */

/* Tests make reading names slow, as on a busy machine. */
static void be_slow(void)
{
	const char *ms = getenv("SIMUL_TEST_SLOW_NAMES");

	if (ms)
		usleep((useconds_t)strtoul(ms, NULL, 10) * 1000);
}

static void open_symbols(struct collecting *c)
{
	if (c->in->pid <= 0)
		return;
	c->maps = proc_text_maps(c->in->pid);
	c->symbols = symbols_open(c->maps);
	if (c->symbols) {
		symbols_limit(c->symbols, NAMES_MOST_NS);
		be_slow();
		collect_add_heap(c->symbols, c->in->seg);
		memory_names_add(c->symbols, c->in->seg);
	}
}

/* Names the memory that the steps accessed. If the frame of a step is not known, variables on stacks get names only while the process is alive. */
static void name_memory(struct collecting *c)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)c->in->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	for (uint32_t t = 0; t < c->e->threads; t++) {
		struct session_thread where;
		char thread[256];

		segment_thread(c->in->seg, (thread_id)t, &where);
		thread_name_format(&c->e->names, (thread_id)t, thread, sizeof(thread));
		symbols_add_thread(c->symbols, thread, where.tls);
		symbols_add_frames(c->symbols, where.frames.stack.pc, where.frames.stack.n);
	}
	symbols_add_frames(c->symbols, c->e->bug.stack.pc, c->e->bug.stack.n);
	symbols_set_memory(c->symbols, fd);
	heap_blocks_number(c->r, c->symbols, collect_heap_low(c->in->seg), fd);
	memory_objects_name(&c->memory, c);
	values_keep_words(c->r);
	values_name_pointers(c->r, c->symbols);
	symbols_set_memory(c->symbols, -1);
	if (fd >= 0)
		close(fd);
}

struct recording *collect_recording(const struct collect_input *in)
{
	struct collecting c = {.in = in, .e = in->execution, .r = recording_new()};

	c.index = xcalloc(c.e->names.count, sizeof(*c.index));
	open_symbols(&c);
	describe_run(&c);
	number_threads(&c);
	describe_objects(&c);
	memory_objects_begin(&c.memory, c.r);
	for (unsigned t = 0; t < c.e->names.count; t++)
		if (c.index[t] != NO_THREAD)
			describe_thread(&c, (thread_id)t);
	describe_steps(&c);
	describe_labels(&c);
	describe_timed_out(&c);
	if (c.symbols)
		name_memory(&c);
	memory_objects_end(&c.memory);
	if (c.symbols)
		collect_std_locks(c.r, in->target->path);
	collect_failure(&c);
	if (c.symbols && symbols_late(c.symbols))
		say("note: there was no time to read all of the debug information: names and lines are missing in this recording");
	symbols_close(c.symbols);
	free(c.maps);
	free(c.index);
	return c.r;
}
