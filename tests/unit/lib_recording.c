/* Hand-made recordings for the tests of the format and of the reports. */
#include "tests/unit/lib_recording.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static void set(char **field, const char *text)
{
	free(*field);
	*field = xstrdup(text);
}

static void set_list(char ***list, const char *const *texts)
{
	size_t n = 0;

	while (texts[n])
		n++;
	free(*list);
	*list = xcalloc(n + 1, sizeof(**list));
	for (size_t i = 0; i < n; i++)
		(*list)[i] = xstrdup(texts[i]);
}

thread_id sample_thread(struct recording *r, const char *path, const char *start)
{
	r->threads = xgrow(r->threads, r->n_threads, sizeof(*r->threads));
	r->threads[r->n_threads] = (struct rec_thread){ .path = xstrdup(path), .start = xstrdup(start),
		.waits_for = NO_THREAD };
	return (thread_id)r->n_threads++;
}

struct recording *sample_new(void)
{
	struct recording *r = recording_new();

	set(&r->written_by, "0.1.0");
	set(&r->start.program, "/home/ann/bank_test");
	set(&r->start.build_id, "0123456789abcdef");
	set_list(&r->start.argv, (const char *const[]){ "./bank_test", "--fast", NULL });
	set_list(&r->start.env, (const char *const[]){ "LANG=C", NULL });
	set(&r->start.cwd, "/home/ann");
	set(&r->strategy, "optimal");
	r->execution = 17;
	r->settings.max_steps = 10000;
	r->settings.start_time = UINT64_C(1700000000000000000);
	r->confirmed = r->confirm_tries = 3;
	r->failure.signature = 0x1234;
	r->pool.n = 1;
	r->pool.thread[0].stack_size = 8388608;
	r->pool.thread[0].guard_size = 4096;
	strcpy(r->pool.thread[0].path, "T0.1");
	sample_thread(r, "T0", "main");
	return r;
}

object_id sample_object(struct recording *r, unsigned kind, unsigned number, const char *name, const char *origin)
{
	r->objects = xgrow(r->objects, r->n_objects, sizeof(*r->objects));
	r->objects[r->n_objects] = (struct rec_object){ .kind = (uint8_t)kind, .number = number,
		.name = xstrdup(name), .origin = xstrdup(origin) };
	return (object_id)++r->n_objects;
}

struct rec_stack sample_stack(const char *function, const char *file, int line)
{
	struct rec_stack st = { 0, NULL };

	if (!function)
		return st;
	st.n = 1;
	st.frame = xcalloc(1, sizeof(*st.frame));
	st.frame[0] = (struct rec_frame){ .function = xstrdup(function), .dir = xstrdup("/home/ann"),
		.file = xstrdup(file), .line = line, .module = xstrdup("bank_test"),
		.offset = 0x1000 + (uint64_t)line, .flags = REC_FRAME_USER };
	return st;
}

struct rec_step *sample_step(struct recording *r, thread_id t, unsigned kind, object_id a, object_id b,
	const char *function, const char *file, int line)
{
	struct rec_step *s;

	r->steps = xgrow(r->steps, r->n_steps, sizeof(*r->steps));
	s = &r->steps[r->n_steps++];
	*s = (struct rec_step){ .thread = t, .kind = (uint8_t)kind, .obj = { a, b },
		.stack = sample_stack(function, file, line) };
	return s;
}

void sample_pending(struct recording *r, thread_id t, unsigned kind, object_id a, object_id b, thread_id waits_for,
	const char *function, const char *file, int line)
{
	struct rec_thread *th = &r->threads[t];

	th->pending_kind = (uint8_t)kind;
	th->pending_obj[0] = a;
	th->pending_obj[1] = b;
	th->waits_for = waits_for;
	th->stack = sample_stack(function, file, line);
}

struct recording *sample_deadlock(void)
{
	struct recording *r = sample_new();
	const char *names[] = { "account[0].lock", "account[1].lock", "account[2].lock" };
	object_id lock[3], thread[3];
	thread_id t[3];

	for (int i = 0; i < 3; i++) {
		char path[24];
		snprintf(path, sizeof(path), "T0.%d", i + 1);
		t[i] = sample_thread(r, path, "transfer_thread");
		thread[i] = sample_object(r, OBJ_THREAD, (unsigned)i + 2, NULL, NULL);
		sample_step(r, 0, EV_THREAD_CREATE, thread[i], 0, "main", "bank.c", 61);
	}
	for (int i = 0; i < 3; i++) {
		lock[i] = sample_object(r, OBJ_MUTEX, (unsigned)i + 1, names[i], "bank.c:31");
		sample_step(r, t[i], EV_MUTEX_LOCK, lock[i], 0, "transfer", "bank.c", 31);
	}
	for (int i = 0; i < 3; i++)
		sample_pending(r, t[i], EV_MUTEX_LOCK, lock[(i + 1) % 3], 0, t[(i + 1) % 3], "transfer",
			"bank.c", 32);
	sample_pending(r, 0, EV_THREAD_JOIN, thread[0], 0, t[0], "main", "bank.c", 66);
	r->failure.kind = BUG_DEADLOCK;
	set(&r->failure.message, "deadlock: 4 threads wait, none can go on");
	set(&r->failure.where, "bank.c:32");
	r->preemptions = recording_preemptions(r);
	return r;
}

struct recording *sample_lost_wakeup(void)
{
	struct recording *r = sample_new();
	thread_id t = sample_thread(r, "T0.1", "consumer");
	object_id th = sample_object(r, OBJ_THREAD, 2, NULL, NULL);
	object_id m = sample_object(r, OBJ_MUTEX, 1, "q.lock", "queue.c:10");
	object_id c = sample_object(r, OBJ_COND, 1, "q.nonempty", "queue.c:14");

	sample_step(r, 0, EV_THREAD_CREATE, th, 0, "main", "queue.c", 40);
	sample_step(r, t, EV_MUTEX_LOCK, m, 0, "consumer", "queue.c", 20);
	sample_step(r, t, EV_MUTEX_UNLOCK, m, 0, "consumer", "queue.c", 22);
	sample_step(r, 0, EV_COND_SIGNAL, c, 0, "produce", "queue.c", 14);
	sample_step(r, t, EV_MUTEX_LOCK, m, 0, "consumer", "queue.c", 24);
	sample_step(r, t, EV_COND_WAIT, c, m, "consumer", "queue.c", 25);
	sample_pending(r, t, EV_COND_WAKE, c, m, NO_THREAD, "consumer", "queue.c", 25);
	sample_pending(r, 0, EV_THREAD_JOIN, th, 0, t, "main", "queue.c", 44);
	r->failure.kind = BUG_DEADLOCK;
	set(&r->failure.message, "deadlock: 2 threads wait, none can go on");
	set(&r->failure.where, "queue.c:25");
	r->preemptions = recording_preemptions(r);
	return r;
}

struct recording *sample_assert(void)
{
	struct recording *r = sample_new();
	thread_id t = sample_thread(r, "T0.1", "withdraw_all");
	object_id th = sample_object(r, OBJ_THREAD, 2, NULL, NULL);
	object_id m = sample_object(r, OBJ_MUTEX, 1, NULL, "bank.c:12");

	sample_step(r, 0, EV_THREAD_CREATE, th, 0, "main", "bank.c", 40);
	sample_step(r, t, EV_MUTEX_LOCK, m, 0, "withdraw_all", "bank.c", 12);
	sample_step(r, t, EV_MUTEX_UNLOCK, m, 0, "withdraw_all", "bank.c", 14);
	sample_step(r, 0, EV_MUTEX_TRYLOCK, m, 0, "main", "bank.c", 44);
	sample_step(r, t, EV_MUTEX_TRYLOCK, m, 0, "withdraw_all", "bank.c", 15);
	r->steps[4].result = 16; /* EBUSY */
	r->steps[4].flags = EVF_FAILED;
	sample_step(r, t, EV_DEATH, 0, 0, "withdraw_all", "bank.c", 17);
	sample_pending(r, 0, EV_MUTEX_UNLOCK, m, 0, NO_THREAD, "main", "bank.c", 46);
	r->failure.kind = BUG_ASSERT;
	r->failure.thread = t;
	r->failure.signal = 6;
	set(&r->failure.message, "bank.c:17: withdraw_all: Assertion `balance >= 0' failed.");
	set(&r->failure.where, "bank.c:17");
	set(&r->failure.output, "start\n\033[31mbalance -5\n");
	r->failure.stack = sample_stack("withdraw_all", "bank.c", 17);
	r->preemptions = recording_preemptions(r);
	return r;
}

object_id sample_range(struct recording *r, unsigned number, const char *name, uint64_t addr, uint32_t size)
{
	object_id o = sample_object(r, OBJ_MEMORY, number, name, "count.c:5");

	r->objects[o - 1].addr = addr;
	r->objects[o - 1].size = size;
	return o;
}

static void sample_pages(struct rec_memory *m)
{
	m->n_pages = 2;
	m->page = xcalloc(2, sizeof(*m->page));
	m->page[0].base = UINT64_C(0x7fffffffe000);
	m->page[1].base = 0x404000;
	m->page[1].shared[0] = UINT64_C(0xf0f0) | UINT64_C(1) << 63;
	m->page[1].shared[1] = 1;
	m->page[1].shared[63] = UINT64_C(1) << 63;
	m->page[1].late[1] = 1;
	m->page[1].late[0] = 0x3000;
	m->n_nodes = 1;
	m->node = xcalloc(1, sizeof(*m->node));
	m->node[0] = (struct await_node){ .state = 0xabcdef, .addr = 0x40400c, .pc = 0x401234, .size = 4, .what = EV_LOAD };
	m->n_edges = 1;
	m->edge = xcalloc(1, sizeof(*m->edge));
	m->edge[0] = (struct await_edge){ .from = 1, .found = 0x77, .to = 1, .flags = AWAIT_VISIBLE };
}

struct recording *sample_memory(void)
{
	struct recording *r = sample_new();
	thread_id t = sample_thread(r, "T0.1", "count");
	object_id th = sample_object(r, OBJ_THREAD, 2, NULL, NULL);
	object_id counter = sample_range(r, 1, "counter", 0x404004, 4);
	object_id flag = sample_range(r, 2, "flags[1]", 0x40400c, 4);

	sample_pages(&r->memory);
	r->settings.patch = 1;
	r->patch_patterns = xgrow(r->patch_patterns, 1, sizeof(*r->patch_patterns));
	r->patch_patterns[0] = xstrdup("libq*.so");
	r->patch_patterns[1] = NULL;
	r->start.env_entries = 12;
	r->start.env_bytes = 345;
	r->start.stack_limit = 8388608;
	sample_step(r, 0, EV_THREAD_CREATE, th, 0, "main", "count.c", 20);
	sample_step(r, 0, EV_LOAD, counter, 0, "count", "count.c", 5);
	sample_step(r, t, EV_LOAD, counter, 0, "count", "count.c", 5);
	sample_step(r, t, EV_STORE, counter, 0, "count", "count.c", 5)->flags = EVF_PLAIN;
	sample_step(r, 0, EV_STORE, counter, 0, "count", "count.c", 5)->flags = EVF_PLAIN;
	sample_step(r, 0, EV_RMW, flag, 0, "main", "count.c", 22)->result = 7;
	r->steps[5].flags = EVF_FAILED | EVF_ATOMIC;
	sample_pending(r, t, EV_LOAD, flag, 0, NO_THREAD, "await", "count.c", 9);
	sample_pending(r, 0, EV_THREAD_JOIN, th, 0, t, "main", "count.c", 25);
	r->failure.kind = BUG_LIVELOCK;
	r->failure.thread = t;
	set(&r->failure.message, "livelock: 1 thread spins, 2 are blocked");
	set(&r->failure.where, "count.c:9");
	r->preemptions = recording_preemptions(r);
	return r;
}

/* ---- store buffers ---- */

struct rec_step *sample_store(struct recording *r, thread_id t, object_id o, uint64_t place, int line)
{
	struct rec_step *s = sample_step(r, t, EV_STORE, o, 0, r->threads[t].start, "weak.c", line);

	s->buffered = true;
	s->place = place;
	return s;
}

struct rec_step *sample_update(struct recording *r, thread_id t, object_id o, uint64_t place, unsigned number)
{
	struct rec_step *s = sample_step(r, t, EV_UPDATE, o, 0, NULL, NULL, 0);

	s->place = place;
	s->number = (uint16_t)number;
	return s;
}

/* Two threads and a page with two variables, objects 3 and 4. */
static struct recording *sample_weak(unsigned model, const char *one, const char *two, const char *x, const char *y)
{
	struct recording *r = sample_new();

	r->settings.model = model;
	r->settings.patch = 1;
	sample_thread(r, "T0.1", one);
	sample_thread(r, "T0.2", two);
	sample_object(r, OBJ_THREAD, 2, NULL, NULL);
	sample_object(r, OBJ_THREAD, 3, NULL, NULL);
	sample_range(r, 1, x, 0x404004, 4);
	sample_range(r, 2, y, 0x40400c, 4);
	r->memory.n_pages = 1;
	r->memory.page = xcalloc(1, sizeof(*r->memory.page));
	r->memory.page[0].base = 0x404000;
	r->memory.page[0].shared[0] = 0xf0f0;
	sample_step(r, 0, EV_THREAD_CREATE, 1, 0, "main", "weak.c", 30);
	sample_step(r, 0, EV_THREAD_CREATE, 2, 0, "main", "weak.c", 31);
	r->failure.kind = BUG_ASSERT;
	r->failure.signal = 6;
	return r;
}

struct recording *sample_tso(void)
{
	struct recording *r = sample_weak(MODEL_TSO, "one", "two", "x", "y");

	sample_store(r, 1, 3, PLACE_ALL, 10);
	sample_step(r, 1, EV_LOAD, 4, 0, "one", "weak.c", 11);
	sample_store(r, 2, 4, PLACE_ALL, 20);
	sample_step(r, 2, EV_LOAD, 4, 0, "two", "weak.c", 21)->flags = EVF_FORWARDED;
	sample_step(r, 2, EV_LOAD, 3, 0, "two", "weak.c", 22);
	sample_update(r, 2, 4, PLACE_ALL, 2047);
	sample_update(r, 1, 3, PLACE_ALL, 0)->epoch = 3;
	sample_step(r, 1, EV_THREAD_EXIT, 1, 0, NULL, NULL, 0);
	sample_step(r, 2, EV_THREAD_EXIT, 2, 0, NULL, NULL, 0);
	sample_step(r, 0, EV_DEATH, 0, 0, "main", "weak.c", 35);
	r->failure.thread = 0;
	set(&r->failure.message, "weak.c:35: main: Assertion `a || b' failed.");
	set(&r->failure.where, "weak.c:35");
	r->preemptions = recording_preemptions(r);
	return r;
}

struct recording *sample_pso(uint8_t flags)
{
	struct recording *r = sample_weak(MODEL_PSO, "producer", "consumer", "data", "ready");

	sample_store(r, 1, 3, 0x404004, 10)->flags = flags;
	sample_store(r, 1, 4, 0x40400c, 11)->flags = flags;
	sample_update(r, 1, 4, 0x40400c, 1);
	sample_step(r, 2, EV_LOAD, 4, 0, "consumer", "weak.c", 20);
	sample_step(r, 2, EV_LOAD, 3, 0, "consumer", "weak.c", 21);
	sample_step(r, 2, EV_DEATH, 0, 0, "consumer", "weak.c", 21);
	sample_pending(r, 1, EV_THREAD_EXIT, 1, 0, NO_THREAD, "producer", "weak.c", 12);
	r->failure.thread = 2;
	set(&r->failure.message, "weak.c:21: consumer: Assertion `data == 42' failed.");
	set(&r->failure.where, "weak.c:21");
	r->preemptions = recording_preemptions(r);
	return r;
}

struct recording *sample_orders(void)
{
	struct recording *r = sample_weak(MODEL_RC11, "producer", "consumer", "data", "ready");

	sample_step(r, 1, EV_STORE, 3, 0, "producer", "weak.c", 10);
	sample_step(r, 1, EV_STORE, 4, 0, "producer", "weak.c", 11);
	sample_step(r, 2, EV_LOAD, 4, 0, "consumer", "weak.c", 20)->result = 4;
	sample_step(r, 2, EV_LOAD, 3, 0, "consumer", "weak.c", 21)->alt = ALT_OLDER;
	sample_step(r, 2, EV_DEATH, 0, 0, "consumer", "weak.c", 22);
	for (size_t i = 2; i < 6; i++)
		r->steps[i].flags = EVF_ATOMIC;
	sample_pending(r, 1, EV_THREAD_EXIT, 1, 0, NO_THREAD, "producer", "weak.c", 12);
	r->failure.thread = 2;
	set(&r->failure.message, "weak.c:22: consumer: Assertion `data == 42' failed.");
	set(&r->failure.where, "weak.c:22");
	r->orders = (struct rec_orders){ .runs = 7, .prevented = true, .fewest = true, .n = 2, .step = 5 };
	r->orders.place = xcalloc(2, sizeof(*r->orders.place));
	r->orders.place[0] = (struct rec_stronger){ RC11_RELEASE, 3 };
	r->orders.place[1] = (struct rec_stronger){ RC11_ACQUIRE, 4 };
	return r;
}

/* ---- random recordings ---- */

uint64_t sample_next(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static char *any_text(uint64_t *seed)
{
	size_t n = sample_next(seed) % 20;
	char *s = xcalloc(n + 1, 1);

	for (size_t i = 0; i < n; i++)
		s[i] = (char)(sample_next(seed) % 255 + 1);
	return s;
}

static char *maybe_text(uint64_t *seed)
{
	return sample_next(seed) % 3 ? any_text(seed) : NULL;
}

static struct rec_stack any_stack(uint64_t *seed)
{
	struct rec_stack st = { sample_next(seed) % 4, NULL };

	if (!st.n)
		return st;
	st.frame = xcalloc(st.n, sizeof(*st.frame));
	for (size_t i = 0; i < st.n; i++)
		st.frame[i] = (struct rec_frame){ .function = maybe_text(seed), .dir = maybe_text(seed),
			.file = maybe_text(seed), .line = (int)(sample_next(seed) % 1000),
			.module = maybe_text(seed), .offset = sample_next(seed),
			.flags = (uint32_t)(sample_next(seed) % 4) };
	return st;
}

/* Returns the oldest store in the thread's buffer, or NULL when the buffer is empty. */
static const struct rec_step *oldest_buffered(const struct recording *r, thread_id t, size_t end)
{
	size_t updates = 0;

	for (size_t i = 0; i < end; i++)
		updates += r->steps[i].thread == t && r->steps[i].kind == EV_UPDATE;
	for (size_t i = 0; i < end; i++)
		if (r->steps[i].thread == t && r->steps[i].buffered && updates-- == 0)
			return &r->steps[i];
	return NULL;
}

/* Adds stores and updates to a recording with store buffers. An update without a matching store becomes a fence. */
static void any_buffering(struct recording *r, struct rec_step *s, uint64_t *seed)
{
	const struct rec_step *oldest = oldest_buffered(r, s->thread, (size_t)(s - r->steps));

	if (r->settings.model != MODEL_SC && s->kind != EV_UPDATE && sample_next(seed) % 3 == 0)
		s->kind = sample_next(seed) % 2 ? EV_STORE : EV_UPDATE;
	if (s->kind == EV_UPDATE && !oldest)
		s->kind = EV_FENCE;
	s->buffered = s->kind == EV_STORE && r->settings.model != MODEL_SC && sample_next(seed) % 4;
	if (!s->buffered && s->kind != EV_UPDATE)
		return;
	s->result = 0;
	s->place = s->kind == EV_UPDATE ? oldest->place : r->settings.model == MODEL_PSO ? sample_next(seed) | 1 : PLACE_ALL;
	if (s->kind == EV_UPDATE) {
		s->number = (uint16_t)(sample_next(seed) % UPDATE_NUMBERS);
		s->epoch = (uint8_t)(sample_next(seed) % UPDATE_EPOCHS);
	}
}

static void any_tables(struct recording *r, uint64_t *seed)
{
	for (unsigned i = 1, n = sample_next(seed) % 4; i <= n; i++) {
		char path[24];
		thread_id t;
		snprintf(path, sizeof(path), "T0.%u", i);
		t = sample_thread(r, path, "f");
		r->threads[t].pending_kind = (uint8_t)(sample_next(seed) % EV_COUNT);
		r->threads[t].waits_for = i > 1 ? (thread_id)(i - 1) : NO_THREAD;
		r->threads[t].stack = any_stack(seed);
	}
	for (unsigned i = 0, n = sample_next(seed) % 6; i < n; i++) {
		sample_object(r, 1 + sample_next(seed) % (OBJ_COUNT - 1), i + 1, NULL, NULL);
		r->objects[i].name = maybe_text(seed);
		r->objects[i].origin = maybe_text(seed);
		if (r->objects[i].kind == OBJ_MEMORY) {
			r->objects[i].addr = sample_next(seed) & ~UINT64_C(2048);
			r->objects[i].size = (uint32_t)(sample_next(seed) % 1024);
		}
	}
	for (unsigned i = 0, n = sample_next(seed) % 30; i < n; i++) {
		struct rec_step *s = sample_step(r, (thread_id)(sample_next(seed) % r->n_threads),
			1 + sample_next(seed) % (EV_COUNT - 1), (object_id)(sample_next(seed) % (r->n_objects + 1)),
			(object_id)(sample_next(seed) % (r->n_objects + 1)), NULL, NULL, 0);
		s->alt = (uint8_t)(sample_next(seed) % ALT_COUNT);
		s->flags = (uint8_t)sample_next(seed);
		s->result = (int32_t)sample_next(seed);
		s->stack = any_stack(seed);
		any_buffering(r, s, seed);
	}
}

static void any_memory(struct rec_memory *m, uint64_t *seed)
{
	m->n_pages = sample_next(seed) % 3;
	m->n_nodes = sample_next(seed) % 3;
	m->n_edges = m->n_nodes ? sample_next(seed) % 4 : 0;
	m->raced = sample_next(seed) % 2 ? sample_next(seed) & ~UINT64_C(7) : 0;
	m->page = xcalloc(m->n_pages, sizeof(*m->page));
	m->node = xcalloc(m->n_nodes, sizeof(*m->node));
	m->edge = xcalloc(m->n_edges, sizeof(*m->edge));
	for (size_t i = 0; i < m->n_pages; i++) {
		m->page[i].base = sample_next(seed) << 12;
		for (int k = 0; k < 64; k++) {
			m->page[i].shared[k] = sample_next(seed) & sample_next(seed) & sample_next(seed);
			m->page[i].late[k] = m->page[i].shared[k] & sample_next(seed);
		}
	}
	for (size_t i = 0; i < m->n_nodes; i++)
		m->node[i] = (struct await_node){ .state = sample_next(seed) | 1, .addr = sample_next(seed),
			.pc = sample_next(seed), .size = (uint32_t)sample_next(seed),
			.expected = (uint32_t)sample_next(seed), .what = EV_RMW | EVF_ATOMIC << 8 | 1 << 16 };
	for (size_t i = 0; i < m->n_edges; i++)
		m->edge[i] = (struct await_edge){ .from = 1 + (uint32_t)(sample_next(seed) % m->n_nodes),
			.found = (uint32_t)sample_next(seed), .to = 1 + (uint32_t)(sample_next(seed) % m->n_nodes),
			.flags = (uint32_t)(sample_next(seed) % 4) };
}

static void any_labels(struct recording *r, uint64_t *seed)
{
	size_t n = sample_next(seed) % 4, before = 0;

	for (size_t i = 0; i < n; i++) {
		char *text = maybe_text(seed);
		before += sample_next(seed) % (r->n_steps - before + 1);
		r->labels = xgrow(r->labels, r->n_labels, sizeof(*r->labels));
		r->labels[r->n_labels++] = (struct rec_label){ before, (thread_id)(sample_next(seed) % r->n_threads),
			(uint8_t)(sample_next(seed) % LABEL_KINDS), text ? text : xstrdup("") };
	}
}

static void any_cycle(struct recording *r, uint64_t *seed)
{
	r->failure.n_cycle = r->n_steps ? sample_next(seed) % (ROBUST_MOST + 1) : 0;
	r->failure.cycle = r->failure.n_cycle ? xcalloc(r->failure.n_cycle, sizeof(*r->failure.cycle)) : NULL;
	for (size_t i = 0; i < r->failure.n_cycle; i++)
		r->failure.cycle[i] = (struct rec_cycle){ (size_t)(sample_next(seed) % r->n_steps),
			(uint8_t)(sample_next(seed) % ROBUST_STEPS) };
}

struct recording *sample_random(uint64_t *seed)
{
	struct recording *r = sample_new();

	r->settings.model = (uint32_t)(sample_next(seed) % 3);
	r->settings.robustness = (uint32_t)(sample_next(seed) % 2);
	any_tables(r, seed);
	any_labels(r, seed);
	any_memory(&r->memory, seed);
	r->settings.patch = sample_next(seed) % 2;
	r->settings.fail_on_race = sample_next(seed) % 2;
	r->start.env_entries = (uint32_t)sample_next(seed);
	r->start.stack_limit = sample_next(seed);
	free(r->start.cwd);
	r->start.cwd = maybe_text(seed);
	r->start.stdin_file = maybe_text(seed);
	r->failure.output = maybe_text(seed);
	free(r->failure.message);
	r->failure.message = any_text(seed);
	r->failure.where = maybe_text(seed);
	r->failure.process = maybe_text(seed);
	r->failure.stack = any_stack(seed);
	r->failure.kind = (uint32_t)(sample_next(seed) % BUG_KINDS);
	r->failure.signal = (int)(sample_next(seed) % 32) - 1;
	r->failure.status = (int)sample_next(seed);
	r->settings.seed = sample_next(seed);
	r->failure.signature = sample_next(seed);
	any_cycle(r, seed);
	r->settings.threads = (uint32_t)(sample_next(seed) % 2);
	return r;
}

/* A recording with values: a load and a store of 4 bytes, and a pointer. */
struct recording *sample_values(void)
{
	struct recording *r = sample_memory();
	struct rec_step *s = NULL;

	for (size_t i = 0; i < r->n_steps; i++) {
		s = &r->steps[i];
		if (event_kind_object(s->kind) != OBJ_MEMORY)
			continue;
		s->value = (struct rec_value){ .size = 4, .has_before = true, .before = { 0x78, 0x56, 0x34, 0x12 } };
		s->value.has_after = s->kind != EV_LOAD;
		if (s->value.has_after)
			memcpy(s->value.after, "\xff\xff\0\x01", 4);
	}
	for (size_t i = 0; i < r->n_objects; i++)
		if (r->objects[i].kind == OBJ_MEMORY && r->objects[i].size == 4) {
			value_field_word(value_type_add(&r->objects[i].type, VALUE_ENUM, 0, 16, "state"), 0x5678, "BUSY \"\n");
			value_type_add(&r->objects[i].type, VALUE_SIGNED, 16, 5, NULL);
		}
	r->pointers = xcalloc(2, sizeof(*r->pointers));
	r->pointers[r->n_pointers++] = (struct rec_pointer){ 0x404010, xstrdup("&pool[2]") };
	r->pointers[r->n_pointers++] = (struct rec_pointer){ UINT64_C(0x7ffff7a00000), xstrdup("helper") };
	return r;
}

struct recording *sample_tries(void)
{
	struct recording *r = sample_tso();

	r->tries = xcalloc(4, sizeof(*r->tries));
	for (size_t i = 0; i < r->n_steps; i++)
		if (r->steps[i].buffered)
			r->tries[0] = (struct rec_try){ REC_TRY_STORE, REC_TRY_PASSES, r->steps[i].thread, i, i + 1 };
	r->tries[1] = (struct rec_try){ REC_TRY_ORDER, REC_TRY_FAILS, 1, 5, 2 };
	r->tries[2] = (struct rec_try){ REC_TRY_ORDER, REC_TRY_OTHERWISE, 1, NO_STEP, 3 };
	r->tries[3] = (struct rec_try){ REC_TRY_GO_ON, REC_TRY_PASSES, 0, NO_STEP, 4 };
	r->n_tries = 4;
	return r;
}
