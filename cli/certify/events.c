/* The events of a certificate, their threads and objects, and whether those of its prefix can be enforced. See
   certify_internal.h. */
#include "cli/certify/certify_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/own_files.h"
#include "base/xalloc.h"
#include "cli/certify/handlers.h"
#include "cli/certify/supported.h"
#include "enforce/partial_order.h"

uint32_t certify_thread(struct certifying *x, thread_id t)
{
	struct certificate *c = x->c;
	const struct thread_name *name = &x->at_end.names.name[t];
	struct cert_thread to = {0};

	if (x->thread[t])
		return x->thread[t] - 1;
	if (t)
		to = (struct cert_thread){.parent = certify_thread(x, name->parent), .child = name->child_no};
	for (size_t i = 0; i < x->recording->n_threads; i++) {
		char path[256];

		if (!strcmp(x->recording->threads[i].path, thread_name_format(&x->at_end.names, t, path, sizeof(path))))
			to.start = xstrdup(x->recording->threads[i].start);
	}
	c->threads = xgrow(c->threads, c->n_threads, sizeof(*c->threads));
	c->threads[c->n_threads++] = to;
	return (x->thread[t] = (uint32_t)c->n_threads) - 1;
}

static uint32_t add_object(struct certifying *x, const struct cert_object *o)
{
	struct certificate *c = x->c;

	c->objects = xgrow(c->objects, c->n_objects, sizeof(*c->objects));
	c->objects[c->n_objects++] = *o;
	return (uint32_t)c->n_objects;
}

/* Returns the thread that object `id` of the recording is. */
static thread_id thread_of(struct certifying *x, const struct segment *seg, object_id id)
{
	struct session_object object;

	segment_object(seg, id, &object);
	if (object.kind == OBJ_THREAD && object.addr < x->at_end.names.count)
		return (thread_id)object.addr;
	certify_fail(x, "the program overwrote simul's memory");
	return 0;
}

/* Returns the index + 1 of object `id` of the recording, added if new. */
static uint32_t object_number(struct certifying *x, const struct segment *seg, object_id id)
{
	const struct rec_object *from = &x->recording->objects[id - 1];
	struct cert_object to = {.kind = from->kind, .number = from->number, .at = {.module = NO_MODULE}};
	struct session_object where;

	if (x->object[id - 1])
		return x->object[id - 1];
	to.name = xstrdup(from->name);
	if (from->kind == OBJ_MEMORY) {
		if (!address_map_find(x->map, x->c, from->addr, from->size, &to.at))
			certify_fail(x,
				"cannot be enforced yet: threads share memory that is neither static, nor in a block "
				"of malloc or a mapping, nor on a stack, nor a thread-local variable of the program: "
				"0x%" PRIx64 "%s%s",
				from->addr, from->name ? " " : "", from->name ? from->name : "");
		to.number = (uint32_t)x->c->n_objects;
	} else if (from->kind == OBJ_THREAD) {
		to.thread = certify_thread(x, thread_of(x, seg, id));
	} else if (from->kind != OBJ_FD) { /* a file is identified by its first use */
		segment_object(seg, id, &where);
		if (where.addr && address_map_find(x->map, x->c, where.addr, 1, &to.at) && to.at.module == HEAP_MODULE)
			/* identified by its first use: malloc may place it elsewhere */
			to.at = (struct cert_range){.module = NO_MODULE};
		else if (to.at.module != NO_MODULE)
			supported_object(to.kind, address_map_module(x->map, where.addr), x->why, sizeof(x->why));
	}
	return x->object[id - 1] = add_object(x, &to);
}

/* Returns whether the value may be the id of the process or of a thread. */
static bool is_id(const struct certifying *x, const struct segment *seg, uint64_t value, uint8_t size)
{
	uint64_t pid = (uint64_t)seg->session->ctl.requests.main_pid;

	return size >= sizeof(pid_t) && value - pid < x->at_end.names.count;
}

/* Adds the value that the step read. Addresses and ids differ from process to process, so they are left out. */
static void add_value(const struct certifying *x, const struct segment *seg, const struct rec_step *step,
	struct cert_event *e)
{
	const struct rec_value *v = &step->value;

	if ((step->kind != EV_LOAD && step->kind != EV_RMW) || !v->has_before || !v->size || v->size > sizeof(e->value))
		return;
	memcpy(&e->value, v->before, v->size);
	if (address_map_mapped(x->map, e->value) || is_id(x, seg, e->value, v->size))
		e->value = 0;
	else
		e->value_size = v->size;
}

/* Returns whether the object is a group of files. A certificate knows the files only: each event has its own. */
static bool is_group(const struct certifying *x, const struct segment *seg, object_id id)
{
	struct session_object at = {0};

	if (x->recording->objects[id - 1].kind != OBJ_FD)
		return false;
	segment_object(seg, id, &at);
	return own_file_of(at.addr) == OWN_FILE_ALL;
}

/* Returns the index + 1 of the object that stands for all files, added if new. */
static uint32_t all_files(struct certifying *x)
{
	struct cert_object all = {.kind = OBJ_FD, .at = {.module = FILES_MODULE}};

	if (!x->files) {
		all.name = xstrdup("files");
		x->files = add_object(x, &all);
	}
	return x->files;
}

static void add_event(struct certifying *x, const struct segment *seg, const struct ordered_event *from)
{
	const struct rec_step *step = &x->recording->steps[from->at];
	struct certificate *c = x->c;
	struct cert_event e = {.kind = from->e.kind, .alt = from->e.alt, .first = (uint32_t)c->n_after, .n = from->n};
	const struct rec_frame *frame = rec_stack_user_frame(&step->stack);
	bool memory = object_is_memory(from->e.obj[0]);
	char where[512];

	e.thread = certify_thread(x, from->e.thread);
	e.failed = !memory && rec_step_failed(step);
	add_value(x, seg, step, &e);
	for (int k = 0; k < 2; k++)
		if (step->obj[k] && !is_group(x, seg, step->obj[k]))
			e.object[k] = object_number(x, seg, step->obj[k]);
	if (from->e.kind == EV_FD_POLL && (from->e.flags & EVF_GROUPS)) {
		e.object[0] = all_files(x);
		e.object[1] = 0;
	}
	if (frame && rec_frame_where(frame, where, sizeof(where))[0])
		e.where = certificate_place(c, where, strlen(where));
	for (uint32_t k = 0; k < from->n; k++) {
		c->after = xgrow(c->after, c->n_after, sizeof(*c->after));
		c->after[c->n_after++] = from->after[k];
	}
	e.k = c->threads[e.thread].events++;
	c->events = xgrow(c->events, c->n_events, sizeof(*c->events));
	c->events[c->n_events++] = e;
}

/* Which files a prefix has operations on. */
struct files_of_prefix {
	bool files, sockets; /* pipes, eventfds and socket pairs; other sockets */
};

/* Returns whether the k-th object of the step is none, or no file, or one with which the event may be in the prefix.
   Notes the file. */
static bool check_file(struct certifying *x, const struct segment *seg, const struct rec_step *step, unsigned kind,
	int k, struct files_of_prefix *found)
{
	struct session_object at = {0};

	if (!step->obj[k] || x->recording->objects[step->obj[k] - 1].kind != OBJ_FD)
		return true;
	segment_object(seg, step->obj[k], &at);
	enum own_file own = own_file_of(at.addr);

	found->sockets |= own == OWN_FILE_SOCKETS || own == OWN_FILE_ALL;
	found->files |= own != OWN_FILE_SOCKETS && own != OWN_FILE_NAMES;
	return supported_in_prefix(kind, OBJ_FD, at.addr);
}

/* Refuses the certificate if its prefix has an event that cannot be held back. Events after the prefix need not be
   (supported.h). */
static void check_prefix(struct certifying *x, const struct segment *seg, const struct partial_order *order)
{
	struct files_of_prefix found = {0};
	bool ends = false;

	for (uint32_t i = 0; i < order->certified; i++) {
		const struct ordered_event *e = &order->event[i];
		const struct rec_step *step = &x->recording->steps[e->at];
		unsigned object = step->obj[0] ? x->recording->objects[step->obj[0] - 1].kind : OBJ_NONE;
		bool first = check_file(x, seg, step, e->e.kind, 0, &found);
		bool second = check_file(x, seg, step, e->e.kind, 1, &found);
		const char *then = "a longer search (--executions, --time) may leave it free";
		char place[1024];

		ends |= event_kind_flags(e->e.kind) & K_END;
		if (e->e.kind == EV_SIGNAL_SEND && step->obj[1])
			object = x->recording->objects[step->obj[1] - 1].kind;
		if (first && second && (object == OBJ_FD || supported_in_prefix(e->e.kind, object, 0)))
			continue;
		certify_fail(x,
			"cannot be enforced yet: %s%s, which is number %" PRIu32 " of the %" PRIu32
			" events whose order must be kept; %s%s",
			supported_words(e->e.kind, object),
			supported_place(rec_stack_user_frame(&step->stack), place, sizeof(place)), i + 1,
			order->certified, x->c->frozen ? "a longer search cannot change this: " : then,
			x->c->frozen ? x->c->frozen : "");
		return;
	}
	if (found.files)
		supported_files(x->sensors, x->search->maps, x->why, sizeof(x->why));
	if (found.sockets)
		supported_sockets(x->sensors, x->search->maps, x->why, sizeof(x->why));
	if (ends)
		supported_whole(x->sensors, x->search->maps, x->why, sizeof(x->why));
}

static void check_handlers(struct certifying *x, const struct segment *seg, const struct event *event, uint32_t n,
	const struct partial_order *order, const char *maps)
{
	struct session_sensors *sensors = segment_sensors(seg);
	const struct handlers h = {event, n, order, x->recording, sensors, maps};

	handlers_check(&h, x->why, sizeof(x->why));
	free(sensors);
}

void certify_events(struct certifying *x, const struct segment *seg, const struct event *event, uint32_t n,
	const char *maps)
{
	struct partial_order order;
	const char *why;

	if (!partial_order_make(event, n, x->certified, &order, &why)) {
		certify_fail(x, "cannot be enforced yet: %s", why);
		return;
	}
	check_prefix(x, seg, &order);
	check_handlers(x, seg, event, n, &order, maps);
	certify_thread(x, 0);
	for (uint32_t i = 0; i < order.n && !x->why[0]; i++)
		add_event(x, seg, &order.event[i]);
	x->c->certified = order.certified;
	x->c->instead = xcalloc(SPINE_SIBLINGS, sizeof(*x->c->instead));
	x->c->n_instead = partial_order_instead(&order, x->certified, x->sibling, x->siblings, x->c->instead);
	partial_order_free(&order);
}
