/* Which steps of a recording precede which others; also the page and the graph that show this, for arbitrary recordings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/html/html.h"
#include "recorder/order/order.h"
#include "recorder/report/report_internal.h"
#include "tests/unit/lib_recording.h"

/* `expected` has the form "1>4 create, 3>5 lock". Takes ownership of r. */
static void expect_edges(struct recording *r, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct order o;

	recording_order(r, &o);
	assert_true(o.known);
	for (size_t k = 0; k < o.n; k++)
		fprintf(f, "%s%zu>%zu %s", k ? ", " : "", o.edge[k].from + 1, o.edge[k].to + 1, order_why_text(o.edge[k].why));
	assert_int_equal(fclose(f), 0);
	assert_string_equal(text, expected);
	free(text);
	order_free(&o);
	recording_free(r);
}

static void test_create_and_lock(void **state)
{
	expect_edges(sample_lost_wakeup(), "1>2 create, 4>6 order");
	expect_edges(sample_deadlock(), "1>4 create, 2>5 create, 3>6 create");
}

static struct rec_step *at(struct recording *r, thread_id t, unsigned kind, object_id a, object_id b)
{
	return sample_step(r, t, kind, a, b, "f", "f.c", (int)r->n_steps + 1);
}

static struct recording *three_threads(void)
{
	struct recording *r = sample_new();

	sample_thread(r, "T0.1", "f");
	sample_thread(r, "T0.2", "g");
	sample_thread(r, "T0.3", "h");
	return r;
}

/* Two waiters, two signals: each waiter takes a token meant for it, and the mutex from the thread that released it last. */
static void test_wake(void **state)
{
	struct recording *r = three_threads();
	object_id c = sample_object(r, OBJ_COND, 1, "c", NULL), m = sample_object(r, OBJ_MUTEX, 1, "m", NULL);

	at(r, 1, EV_MUTEX_LOCK, m, 0);
	at(r, 1, EV_COND_WAIT, c, m);
	at(r, 2, EV_MUTEX_LOCK, m, 0);
	at(r, 2, EV_COND_WAIT, c, m);
	at(r, 0, EV_COND_SIGNAL, c, 0);
	at(r, 2, EV_COND_WAKE, c, m);
	at(r, 2, EV_MUTEX_UNLOCK, m, 0);
	at(r, 0, EV_COND_SIGNAL, c, 0);
	at(r, 1, EV_COND_WAKE, c, m);
	expect_edges(r, "2>3 lock, 4>5 order, 5>6 wake, 6>8 order, 7>9 lock, 8>9 wake");
}

/* A signal without waiters makes no token; a broadcast makes one for each waiter. */
static void test_broadcast(void **state)
{
	struct recording *r = three_threads();
	object_id c = sample_object(r, OBJ_COND, 1, "c", NULL);

	at(r, 0, EV_COND_SIGNAL, c, 0);
	at(r, 1, EV_COND_WAIT, c, 0);
	at(r, 2, EV_COND_WAIT, c, 0);
	at(r, 0, EV_COND_BROADCAST, c, 0);
	at(r, 1, EV_COND_WOKEN, c, 0);
	at(r, 2, EV_COND_WOKEN, c, 0);
	expect_edges(r, "1>2 order, 1>3 order, 2>4 order, 3>4 order, 4>5 wake, 4>6 wake, 5>6 order");
}

/* A wait that had to wait shows that the semaphore was 0. Then it is certain which wait took which post. */
static void test_semaphore(void **state)
{
	for (int waited = 0; waited < 2; waited++) {
		struct recording *r = three_threads();
		object_id s = sample_object(r, OBJ_SEM, 1, "s", NULL);
		at(r, 1, EV_SEM_WAIT, s, 0);
		at(r, 0, EV_SEM_POST, s, 0);
		at(r, 2, EV_SEM_WAIT, s, 0)->flags = waited ? EVF_WAITED : 0;
		expect_edges(r, waited ? "1>3 order, 2>3 post" : "1>3 order");
	}
}

static void test_barrier(void **state)
{
	struct recording *r = three_threads();
	object_id b = sample_object(r, OBJ_BARRIER, 1, "b", NULL);

	at(r, 0, EV_BARRIER_ARRIVE, b, 0);
	at(r, 1, EV_BARRIER_ARRIVE, b, 0);
	at(r, 2, EV_BARRIER_ARRIVE, b, 0)->result = -1;
	at(r, 1, EV_BARRIER_PASS, b, 0);
	at(r, 1, EV_BARRIER_ARRIVE, b, 0); /* the next round ends before all threads have left the first */
	at(r, 2, EV_BARRIER_ARRIVE, b, 0);
	at(r, 3, EV_BARRIER_ARRIVE, b, 0)->result = -1;
	at(r, 0, EV_BARRIER_PASS, b, 0);
	at(r, 2, EV_BARRIER_PASS, b, 0);
	expect_edges(r, "1>3 barrier, 2>3 barrier, 3>4 barrier, 5>7 barrier, 6>7 barrier, 3>8 barrier, 7>9 barrier");
}

/* A load reads the last write before it, even if the write used another name for the bytes. A thread's own write gives no arrow. */
static void test_reads(void **state)
{
	struct recording *r = three_threads();
	object_id x = sample_range(r, 1, "x", 0x1000, 8), half = sample_range(r, 2, "x.low", 0x1000, 4);
	object_id other = sample_range(r, 3, "y", 0x1008, 4);

	at(r, 1, EV_STORE, x, 0);
	at(r, 1, EV_STORE, other, 0);
	at(r, 2, EV_STORE, half, 0);
	at(r, 0, EV_LOAD, x, 0);
	at(r, 2, EV_LOAD, x, 0);
	at(r, 0, EV_LOAD, other, 0);
	expect_edges(r, "1>3 order, 3>4 reads, 2>6 reads");
}

static void test_buffers(void **state)
{
	struct recording *r = sample_tso();
	struct order o;
	unsigned buffer = 0, forward = 0, drained = 0;

	recording_order(r, &o);
	assert_int_equal(o.n_agents, r->n_threads + 2);
	for (size_t k = 0; k < o.n; k++) {
		buffer += o.edge[k].why == ORDER_BUFFER;
		forward += o.edge[k].why == ORDER_FORWARD;
		drained += o.edge[k].why == ORDER_DRAINED;
	}
	assert_int_equal(buffer, 2);
	assert_int_equal(forward, 1);
	assert_int_equal(drained, 2);
	order_free(&o);
	recording_free(r);
}

/* ---- arbitrary recordings ---- */

#define MOST 64

static bool related(const struct recording *r, size_t i, size_t j)
{
	for (int a = 0; a < 2; a++) {
		for (int b = 0; b < 2; b++) {
			object_id x = r->steps[i].obj[a], y = r->steps[j].obj[b];
			unsigned m = order_mode(r, &r->steps[i], a), n = order_mode(r, &r->steps[j], b);
			if (!m || !n || !modes_dependent(m, 0, n, 1))
				continue;
			if (x == y || recording_touches(r, &(struct rec_step){ .obj = { x } }, y))
				return true;
		}
	}
	return false;
}

/* before[j] has bit i when program order and the edges lead from i to j; `skip`: an edge to ignore. */
static void close_over(const struct recording *r, const struct order *o, size_t skip, uint64_t *before)
{
	for (size_t j = 0; j < r->n_steps; j++) {
		before[j] = 0;
		for (size_t i = 0; i < j; i++)
			if (o->agent[i] == o->agent[j])
				before[j] |= before[i] | UINT64_C(1) << i;
		for (size_t k = o->first[j]; k < o->first[j + 1]; k++)
			if (k != skip)
				before[j] |= before[o->edge[k].from] | UINT64_C(1) << o->edge[k].from;
	}
}

static void check_order(const struct recording *r, const struct order *o)
{
	uint64_t before[MOST];

	assert_true(r->n_steps <= MOST);
	close_over(r, o, SIZE_MAX, before);
	for (size_t j = 0; j < r->n_steps; j++)
		for (size_t i = 0; i < j; i++)
			if (r->steps[i].thread != r->steps[j].thread && related(r, i, j) && !(before[j] >> i & 1))
				fail_msg("step %zu does not come before step %zu", i + 1, j + 1);
	for (size_t k = 0; k < o->n; k++) {
		assert_true(o->edge[k].from < o->edge[k].to);
		if (o->edge[k].why != ORDER_OTHER)
			continue;
		close_over(r, o, k, before);
		assert_false(before[o->edge[k].to] >> o->edge[k].from & 1);
	}
}

static void test_any_order(void **state)
{
	uint64_t seed = 7;
	size_t edges = 0;

	for (int i = 0; i < 3000; i++) {
		struct recording *r = sample_random(&seed);
		struct order o;
		for (size_t k = 0; k < r->n_objects; k++) /* close enough to overlap */
			r->objects[k].addr %= 4096;
		recording_order(r, &o);
		check_order(r, &o);
		edges += o.n;
		order_free(&o);
		recording_free(r);
	}
	assert_true(edges > 3000);
}

static unsigned occurrences(const char *text, const char *what)
{
	unsigned n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

/* The page has as many tags as that of another recording, and its data can be parsed. */
static void test_any_page(void **state)
{
	static const char begin[] = "<script type=\"application/json\" id=\"data\">", end[] = "</script>";
	struct recording *plain = sample_deadlock();
	size_t size, tags, scripts;
	char *text = report_html(plain, "x.simul", &size);
	uint64_t seed = 11;

	tags = occurrences(text, "<");
	scripts = occurrences(text, "</script");
	free(text);
	recording_free(plain);
	for (int i = 0; i < 300; i++) {
		struct recording *r = sample_random(&seed);
		char *from, *to;
		json_t *o;
		json_error_t e;
		text = report_html(r, "<script>alert(1)</script>\xff\"'", &size);
		assert_int_equal(strlen(text), size);
		assert_int_equal(occurrences(text, "<"), tags);
		assert_int_equal(occurrences(text, "</script"), scripts);
		from = strstr(text, begin);
		assert_non_null(from);
		from += strlen(begin);
		to = strstr(from, end);
		o = json_loadb(from, (size_t)(to - from), 0, &e);
		if (!o)
			fail_msg("%s", e.text);
		assert_int_equal(json_array_size(json_object_get(json_object_get(o, "steps"), "agent")), r->n_steps);
		json_decref(o);
		free(text);
		recording_free(r);
	}
}

/* In every line of the graph, quotes are paired and nothing ends a label early. */
static void test_any_graph(void **state)
{
	const struct report_options options = { .width = 100 };
	uint64_t seed = 13;

	for (int i = 0; i < 300; i++) {
		struct recording *r = sample_random(&seed);
		char *text = NULL, *save = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);
		report_dot(f, r, &options);
		assert_int_equal(fclose(f), 0);
		for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
			unsigned quotes = 0;
			for (const char *p = line; *p; p++) {
				if (*p == '\\' && p[1])
					p++;
				else
					quotes += *p == '"';
			}
			assert_int_equal(quotes % 2, 0);
		}
		free(text);
		recording_free(r);
	}
}

/* A long schedule becomes a graph of its end, and the graph says so. */
static void test_long_graph(void **state)
{
	for (int all = 0; all < 2; all++) {
		const struct report_options options = { .width = 100, .all = all };
		struct recording *r = three_threads();
		object_id m = sample_object(r, OBJ_MUTEX, 1, "m", NULL);
		char *text = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);
		for (unsigned i = 0; i < REPORT_DOT_STEPS; i++)
			at(r, i / 2 % 3, i % 2 ? EV_MUTEX_UNLOCK : EV_MUTEX_LOCK, m, 0);
		at(r, 0, EV_EXIT, 0, 0);
		report_dot(f, r, &options);
		assert_int_equal(fclose(f), 0);
		assert_int_equal(strstr(text, "NOT ALL: steps 2 to 201 of 201") == NULL, all);
		assert_int_equal(strstr(text, "s1 [label") != NULL, all);
		assert_non_null(strstr(text, "s4 -> s5 [label=\"lock\""));
		free(text);
		recording_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create_and_lock),
		cmocka_unit_test(test_wake),
		cmocka_unit_test(test_broadcast),
		cmocka_unit_test(test_semaphore),
		cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_any_page),
		cmocka_unit_test(test_any_graph),
		cmocka_unit_test(test_long_graph),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
