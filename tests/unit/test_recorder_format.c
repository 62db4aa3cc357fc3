/* The `.simul` format: round trips, older versions, and files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "recorder/format/format.h"
#include "recorder/format/recording_file.h"
#include "tests/unit/lib_recording.h"

static char dir[] = "/tmp/simul-test-XXXXXX";

static char *path_in(const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s/%s", dir, name);
	return buf;
}

static int make_dir(void **state)
{
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	char cmd[64];

	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd);
}

static void spill(const char *path, const char *text, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void round_trip(const struct recording *r)
{
	enum recording_error err;
	char message[300];
	size_t n, n2;
	char *text = recording_format(r, &n), *again;
	struct recording *back = recording_parse(text, n, "x", &err, message, sizeof(message));

	if (!back)
		fail_msg("%s\n%s", message, text);
	again = recording_format(back, &n2);
	assert_int_equal(n, n2);
	assert_memory_equal(text, again, n);
	recording_free(back);
	free(text);
	free(again);
}

static void test_round_trip_samples(void **state)
{
	struct recording *r[] = { sample_deadlock(), sample_lost_wakeup(), sample_assert(), sample_memory(), sample_tso(),
		sample_pso(EVF_ATOMIC) };

	for (int i = 0; i < 6; i++) {
		round_trip(r[i]);
		recording_free(r[i]);
	}
}

static void test_round_trip_random(void **state)
{
	uint64_t seed = 42;

	for (int i = 0; i < 300; i++) {
		struct recording *r = sample_random(&seed);
		round_trip(r);
		recording_free(r);
	}
}

/* Comparing two formatted texts could miss a field that is never written, so compare the fields themselves. */
static void test_fields_survive(void **state)
{
	struct recording *r = sample_assert(), *b;
	char path[64], message[200];
	enum recording_error err;
	const char *why;

	r->settings.threads = THREADS_KERNEL;
	r->settings.spurious = 2;
	r->settings.patience = 1500000000;
	r->settings.pth_order = 1;
	r->settings.late_exit = r->settings.barrier_first = r->settings.discrete_time = r->settings.known_locks = 1;
	r->timed_out.ns = 10000000000;
	r->timed_out.step = 3;
	r->timed_out.other = 1;
	r->settings.seed = 99;
	r->start.stdin_file = strdup("in put.txt");
	r->steps[2].alt = ALT_SIGNAL;
	r->failure.n_cycle = 2;
	r->failure.cycle = calloc(2, sizeof(*r->failure.cycle));
	r->failure.cycle[0] = (struct rec_cycle){ 2, ROBUST_DELAYED };
	r->failure.cycle[1] = (struct rec_cycle){ 0, ROBUST_BEFORE };
	r->found.preemptions = 4;
	r->found.switches = 7;
	r->found.steps = 30;
	r->needs.least = 1;
	r->needs.enough = 3;
	path_in("a.simul", path, sizeof(path));
	assert_int_equal(recording_write(r, path, &why), 0);
	b = recording_read(path, &err, message, sizeof(message));
	assert_non_null(b);
	assert_int_equal(err, RECORDING_OK);
	assert_string_equal(b->written_by, "0.1.0");
	assert_string_equal(b->start.program, "/home/ann/bank_test");
	assert_string_equal(b->start.build_id, "0123456789abcdef");
	assert_string_equal(b->start.argv[1], "--fast");
	assert_null(b->start.argv[2]);
	assert_string_equal(b->start.env[0], "LANG=C");
	assert_null(b->start.env[1]);
	assert_string_equal(b->start.cwd, "/home/ann");
	assert_string_equal(b->start.stdin_file, "in put.txt");
	assert_int_equal(b->settings.threads, THREADS_KERNEL);
	assert_int_equal(b->settings.spurious, 2);
	assert_int_equal(b->settings.patience, 1500000000);
	assert_int_equal(b->settings.pth_order, 1);
	assert_int_equal(b->settings.late_exit + b->settings.barrier_first + b->settings.discrete_time + b->settings.known_locks, 4);
	assert_int_equal(b->timed_out.ns, 10000000000);
	assert_int_equal(b->timed_out.step, 3);
	assert_int_equal(b->timed_out.other, 1);
	assert_int_equal(b->settings.max_steps, 10000);
	assert_int_equal(b->settings.start_time, UINT64_C(1700000000000000000));
	assert_int_equal(b->settings.seed, 99);
	assert_int_equal(b->pool.n, 1);
	assert_int_equal(b->pool.thread[0].stack_size, 8388608);
	assert_int_equal(b->pool.thread[0].guard_size, 4096);
	assert_string_equal(b->pool.thread[0].path, "T0.1");
	assert_int_equal(b->settings.model, MODEL_SC);
	assert_string_equal(b->strategy, "optimal");
	assert_int_equal(b->execution, 17);
	assert_int_equal(b->failure.kind, BUG_ASSERT);
	assert_int_equal(b->failure.thread, 1);
	assert_int_equal(b->failure.signal, 6);
	assert_int_equal(b->failure.signature, 0x1234);
	assert_string_equal(b->failure.message, r->failure.message);
	assert_string_equal(b->failure.where, "bank.c:17");
	assert_int_equal(b->failure.stack.n, 1);
	assert_int_equal(b->failure.stack.frame[0].line, 17);
	assert_string_equal(b->failure.output, r->failure.output);
	assert_int_equal(b->preemptions, 2);
	assert_int_equal(b->failure.n_cycle, 2);
	assert_int_equal(b->failure.cycle[0].step, 2);
	assert_int_equal(b->failure.cycle[0].next, ROBUST_DELAYED);
	assert_int_equal(b->failure.cycle[1].step, 0);
	assert_int_equal(b->failure.cycle[1].next, ROBUST_BEFORE);
	assert_int_equal(b->confirmed, 3);
	assert_int_equal(b->confirm_tries, 3);
	assert_int_equal(b->found.preemptions, 4);
	assert_int_equal(b->found.switches, 7);
	assert_int_equal(b->found.steps, 30);
	assert_int_equal(b->needs.least, 1);
	assert_int_equal(b->needs.enough, 3);
	assert_int_equal(b->n_threads, 2);
	assert_string_equal(b->threads[1].path, "T0.1");
	assert_string_equal(b->threads[1].start, "withdraw_all");
	assert_int_equal(b->threads[0].pending_kind, EV_MUTEX_UNLOCK);
	assert_int_equal(b->threads[0].pending_obj[0], 2);
	assert_int_equal(b->threads[0].waits_for, NO_THREAD);
	assert_int_equal(b->threads[0].stack.n, 1);
	assert_int_equal(b->n_objects, 2);
	assert_int_equal(b->objects[1].kind, OBJ_MUTEX);
	assert_int_equal(b->objects[1].number, 1);
	assert_null(b->objects[1].name);
	assert_string_equal(b->objects[1].origin, "bank.c:12");
	assert_int_equal(b->n_steps, 6);
	assert_int_equal(b->steps[2].alt, ALT_SIGNAL);
	assert_int_equal(b->steps[4].thread, 1);
	assert_int_equal(b->steps[4].kind, EV_MUTEX_TRYLOCK);
	assert_int_equal(b->steps[4].flags, EVF_FAILED);
	assert_int_equal(b->steps[4].obj[0], 2);
	assert_int_equal(b->steps[4].result, 16);
	assert_string_equal(b->steps[4].stack.frame[0].function, "withdraw_all");
	recording_free(r);
	recording_free(b);
}

static void test_memory_survives(void **state)
{
	struct recording *r = sample_memory(), *b;
	enum recording_error err;
	char message[200], *text;
	size_t n;

	r->settings.fail_on_race = 1;
	text = recording_format(r, &n);
	b = recording_parse(text, n, "x", &err, message, sizeof(message));
	if (!b)
		fail_msg("%s", message);
	assert_int_equal(b->settings.patch, 1);
	assert_int_equal(b->settings.fail_on_race, 1);
	assert_string_equal(b->patch_patterns[0], "libq*.so");
	assert_null(b->patch_patterns[1]);
	assert_int_equal(b->start.env_entries, 12);
	assert_int_equal(b->start.env_bytes, 345);
	assert_int_equal(b->start.stack_limit, 8388608);
	assert_int_equal(b->objects[1].kind, OBJ_MEMORY);
	assert_int_equal(b->objects[1].addr, 0x404004);
	assert_int_equal(b->objects[1].size, 4);
	assert_int_equal(b->memory.n_pages, 2);
	assert_memory_equal(b->memory.page, r->memory.page, 2 * sizeof(*r->memory.page));
	assert_int_equal(b->memory.n_nodes, 1);
	assert_memory_equal(b->memory.node, r->memory.node, sizeof(*r->memory.node));
	assert_int_equal(b->memory.n_edges, 1);
	assert_memory_equal(b->memory.edge, r->memory.edge, sizeof(*r->memory.edge));
	assert_int_equal(b->steps[5].flags, EVF_FAILED | EVF_ATOMIC);
	recording_free(r);
	recording_free(b);
	free(text);
}

static void test_values_survive(void **state)
{
	struct recording *r = sample_values(), *b;
	enum recording_error err;
	char message[200], *text;
	size_t n, found = 0;

	round_trip(r);
	text = recording_format(r, &n);
	assert_non_null(strstr(text, " 0x12345678 -\n"));
	assert_non_null(strstr(text, " 0x12345678 0x0100ffff\n"));
	b = recording_parse(text, n, "x", &err, message, sizeof(message));
	if (!b)
		fail_msg("%s", message);
	for (size_t i = 0; i < r->n_steps; i++) {
		found += b->steps[i].value.size == 4;
		assert_memory_equal(&b->steps[i].value, &r->steps[i].value, sizeof(struct rec_value));
	}
	assert_true(found > 1);
	for (size_t i = 0, typed = 0; i <= r->n_objects; i++) {
		if (i == r->n_objects) {
			assert_true(typed > 0);
			break;
		}
		typed += b->objects[i].type.n;
		assert_true(value_type_equal(&b->objects[i].type, &r->objects[i].type));
	}
	assert_string_equal(rec_pointer_name(b, 0x404010), "&pool[2]");
	assert_string_equal(rec_pointer_name(b, UINT64_C(0x7ffff7a00000)), "helper");
	assert_null(rec_pointer_name(b, 0x404011));
	recording_free(r);
	recording_free(b);
	free(text);
}

/* Removes every line of the text that begins with `start`. */
static void drop_lines(char *text, const char *start)
{
	for (char *at = text; *at;) {
		char *next = at + strcspn(at, "\n") + 1;
		if (strncmp(at, start, strlen(start)) == 0)
			memmove(at, next, strlen(next) + 1);
		else
			at = next;
	}
}

/* The text of r as an older version wrote it: without these lines and without the last one. */
static char *old_text(const struct recording *r, char version, const char *const *added)
{
	size_t n;
	char *text = recording_format(r, &n);

	text[n - 21] = '\0';
	char *digits = text + strlen(FORMAT_MAGIC), *eol;

	assert_int_equal(strtoul(digits, &eol, 10), RECORDING_VERSION);
	assert_int_equal(*eol, '\n');
	memmove(digits + 1, eol, strlen(eol) + 1);
	*digits = version;
	for (; *added; added++) {
		n = strlen(text);
		drop_lines(text, *added);
		assert_true(strlen(text) < n);
	}
	return text;
}

/* Version 2 had no store buffers. */
static void test_version_2(void **state)
{
	static const char *const added[] = { "robustness", NULL };
	struct recording *r = sample_memory(), *b;
	enum recording_error err;
	char message[200], *text = old_text(r, '2', added);
	size_t n = strlen(text);

	assert_non_null(strstr(text, "\nmodel \"sc\"\n"));
	sprintf(text + n, "end %016llx\n", (unsigned long long)format_checksum(text, n));
	b = recording_parse(text, n + 21, "x", &err, message, sizeof(message));
	if (!b)
		fail_msg("%s\n%s", message, text);
	assert_int_equal(b->settings.model, MODEL_SC);
	assert_int_equal(b->settings.robustness, 0);
	assert_int_equal(b->settings.patch, 1);
	assert_int_equal(b->n_steps, r->n_steps);
	for (size_t i = 0; i < b->n_steps; i++) {
		assert_false(b->steps[i].buffered);
		assert_int_equal(b->steps[i].flags, r->steps[i].flags);
		assert_int_equal(b->steps[i].result, r->steps[i].result);
	}
	recording_free(b);
	recording_free(r);
	free(text);
}

/* Version 1 also lacks the lines that version 2 added. */
static void test_version_1(void **state)
{
	static const char *const added[] = { "env-size", "stack-limit", "patch ", "fail-on-race", "robustness", NULL };
	struct recording *r = sample_deadlock(), *b;
	enum recording_error err;
	char message[200], sum[24], *text;
	size_t n;

	sample_object(r, OBJ_MEMORY, 1, NULL, NULL);
	text = old_text(r, '1', added);
	*strstr(strstr(text, " memory 1 - -"), " 0x0 0") = '\n';
	drop_lines(text, "0x0 0");
	n = strlen(text);
	snprintf(sum, sizeof(sum), "end %016llx\n", (unsigned long long)format_checksum(text, n));
	strcat(text, sum);
	b = recording_parse(text, n + 21, "x", &err, message, sizeof(message));
	if (!b)
		fail_msg("%s\n%s", message, text);
	assert_int_equal(b->settings.patch, 0); /* it recorded library calls only */
	assert_int_equal(b->start.env_entries, 0);
	assert_int_equal(b->n_steps, 6);
	recording_free(b);
	recording_free(r);
	free(text);
}

/* Compares hand-made contents field by field. */
static void test_stores_survive(void **state)
{
	struct recording *r[2] = { sample_tso(), sample_pso(EVF_PLAIN) };
	enum recording_error err;
	char message[200], *text;
	size_t n;

	for (int k = 0; k < 2; k++) {
		struct recording *b;
		r[k]->settings.robustness = (uint32_t)k;
		text = recording_format(r[k], &n);
		b = recording_parse(text, n, "x", &err, message, sizeof(message));
		if (!b)
			fail_msg("%s\n%s", message, text);
		assert_int_equal(b->settings.model, k ? MODEL_PSO : MODEL_TSO);
		assert_int_equal(b->settings.robustness, k);
		assert_int_equal(b->n_steps, r[k]->n_steps);
		for (size_t i = 0; i < b->n_steps; i++) {
			const struct rec_step *x = &r[k]->steps[i], *y = &b->steps[i];
			assert_int_equal(x->thread, y->thread);
			assert_int_equal(x->buffered, y->buffered);
			assert_int_equal(x->place, y->place);
			assert_int_equal(x->number, y->number);
			assert_int_equal(x->epoch, y->epoch);
			assert_int_equal(x->flags, y->flags);
		}
		assert_non_null(strstr(text, k ? "\n5 T0.1~40400c -        update " : "\n9 T0.1~ -        update "));
		assert_non_null(strstr(text, k ? " T0.1~404004 s" : " T0.1~ s"));
		recording_free(b);
		recording_free(r[k]);
		free(text);
	}
}

/* Files number operations independently of enum event_kind, whose numbers change when the table grows. */
static void test_spin_numbers(void **state)
{
	static const struct {
		uint32_t number, kind;
	} expected[] = { { 67, EV_LOAD }, { 68, EV_STORE }, { 69, EV_RMW } };
	uint32_t what;

	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(format_spin_number(expected[i].kind | EVF_ATOMIC << 8), expected[i].number | EVF_ATOMIC << 8);
		assert_true(format_spin_parse(expected[i].number | EVF_PLAIN << 8, &what));
		assert_int_equal(what, expected[i].kind | EVF_PLAIN << 8);
	}
	assert_int_equal(format_spin_number(0), 0);
	assert_true(format_spin_parse(0, &what)); /* known only as the destination of a round */
	assert_int_equal(what, 0);
	assert_false(format_spin_parse(66, &what));
	assert_false(format_spin_parse(70, &what));
}

static void test_tries_survive(void **state)
{
	struct recording *r = sample_tries(), *b;
	enum recording_error err;
	char message[200], *text;
	size_t n;

	round_trip(r);
	text = recording_format(r, &n);
	assert_non_null(strstr(text, "\ntry order T0.1 6 3 fails\ntry order T0.1 0 4 otherwise\ntry go-on T0 0 5 passes\n"));
	b = recording_parse(text, n, "x", &err, message, sizeof(message));
	if (!b)
		fail_msg("%s", message);
	assert_int_equal(b->n_tries, 4);
	for (int i = 0; i < 4; i++) {
		const struct rec_try *t = &b->tries[i], *was = &r->tries[i];
		assert_true(t->kind == was->kind && t->result == was->result && t->thread == was->thread && t->step == was->step &&
			t->before == was->before);
	}
	recording_free(r);
	recording_free(b);
	free(text);
}

static void test_orders_survive(void **state)
{
	struct recording *r = sample_orders(), *b;
	enum recording_error err;
	char message[200], *text;
	size_t n;

	text = recording_format(r, &n);
	assert_non_null(strstr(text, "\norders 7 fewest 6\nat release 4\nat acquire 5\n"));
	b = recording_parse(text, n, "x", &err, message, sizeof(message));
	if (!b)
		fail_msg("%s", message);
	assert_true(b->orders.runs == 7 && b->orders.prevented && b->orders.fewest && b->orders.step == 5);
	assert_int_equal(b->orders.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(b->orders.place[i].order, r->orders.place[i].order);
		assert_int_equal(b->orders.place[i].step, r->orders.place[i].step);
	}
	recording_free(b);
	free(text);
	r->orders.fewest = false;
	round_trip(r);
	free(r->orders.place);
	r->orders = (struct rec_orders){ .runs = 2, .n = 4 };
	round_trip(r);
	recording_free(r);
}

static void test_files(void **state)
{
	struct recording *r = sample_deadlock();
	char path[64], message[300];
	enum recording_error err;
	const char *why;
	struct stat st;

	path_in("none.simul", path, sizeof(path));
	assert_null(recording_read(path, &err, message, sizeof(message)));
	assert_int_equal(err, RECORDING_MISSING);
	assert_non_null(strstr(message, "No such file"));
	assert_null(recording_read(dir, &err, message, sizeof(message)));
	assert_int_equal(err, RECORDING_NOT_ONE);
	spill(path_in("x.simul", path, sizeof(path)), "#!/bin/sh\n", 10);
	assert_null(recording_read(path, &err, message, sizeof(message)));
	assert_int_equal(err, RECORDING_NOT_ONE);
	assert_int_equal(recording_write(r, path, &why), 0); /* replaces the file */
	assert_null(why);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0600, 0600);
	assert_int_equal(recording_write(r, "/nowhere/at/all.simul", &why), -ENOENT);
	assert_non_null(why);
	recording_free(r);
}

static void test_nothing_left_behind(void **state)
{
	struct recording *r = sample_deadlock();
	char path[64];
	const char *why;
	struct dirent *e;
	unsigned n = 0;
	DIR *d;

	path_in("sub", path, sizeof(path));
	assert_int_equal(mkdir(path, 0777), 0);
	path_in("sub/a.simul", path, sizeof(path));
	assert_int_equal(recording_write(r, path, &why), 0);
	path_in("sub/taken", path, sizeof(path));
	assert_int_equal(mkdir(path, 0777), 0); /* a rename onto a directory fails at the last moment */
	assert_true(recording_write(r, path, &why) < 0);
	r->steps[0].kind = EV_COUNT;
	path_in("sub/b.simul", path, sizeof(path));
	assert_int_equal(recording_write(r, path, &why), -EINVAL);
	assert_string_equal(why, "a step has an unknown kind");
	path_in("sub", path, sizeof(path));
	d = opendir(path);
	while ((e = readdir(d)))
		n += e->d_name[0] != '.' || strlen(e->d_name) > 2;
	closedir(d);
	assert_int_equal(n, 2);
	recording_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip_samples),
		cmocka_unit_test(test_round_trip_random),
		cmocka_unit_test(test_fields_survive),
		cmocka_unit_test(test_memory_survives),
		cmocka_unit_test(test_values_survive),
		cmocka_unit_test(test_tries_survive),
		cmocka_unit_test(test_orders_survive),
		cmocka_unit_test(test_version_1),
		cmocka_unit_test(test_version_2),
		cmocka_unit_test(test_stores_survive),
		cmocka_unit_test(test_spin_numbers),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_nothing_left_behind),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
