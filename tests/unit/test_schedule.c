/* Schedules to follow: a recording's memory translated into a new session's names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "replay/confirm.h"
#include "tests/unit/lib_recording.h"

static void test_steps(void **state)
{
	struct recording *r = sample_memory();
	struct schedule s;
	char why[200] = "";
	object_id cell = OBJECT_MEMORY | 1 << 8; /* first one of the second page */

	sample_range(r, 3, "both", 0x40400e, 8);
	sample_step(r, 1, EV_LOAD, 4, 0, NULL, NULL, 0); /* from one cell into the next */
	sample_object(r, OBJ_FUTEX, 1, "word", NULL);
	sample_step(r, 1, EV_FUTEX_WAIT, 5, 2, NULL, NULL, 0);
	assert_true(schedule_from_recording(&s, r, why, sizeof(why)));
	assert_int_equal(s.n, 8);
	assert_int_equal(s.step[0].kind, EV_THREAD_CREATE);
	assert_int_equal(s.step[0].obj[0], 1);
	assert_int_equal(s.step[0].span, 0);
	assert_int_equal(s.step[1].kind, EV_LOAD);
	assert_int_equal(s.step[1].obj[0], cell);
	assert_int_equal(s.step[1].obj[1], 0);
	assert_int_equal(s.step[1].span, 4 | 7 << 4);
	assert_int_equal(s.step[5].obj[0], cell);
	assert_int_equal(s.step[5].span, 12 | 15 << 4);
	assert_int_equal(s.step[6].obj[0], cell);
	assert_int_equal(s.step[6].obj[1], cell + 1);
	assert_int_equal(s.step[6].span, 14 | 5 << 4);
	assert_int_equal(s.step[7].obj[0], 5);
	assert_int_equal(s.step[7].obj[1], cell);
	assert_int_equal(s.step[7].span, 4 | 7 << 4);
	schedule_free(&s);
	recording_free(r);
}

/* The bytes that the steps name are those of the recording, in both directions. */
static void test_bytes(void **state)
{
	struct recording *r = sample_memory();
	struct schedule s;
	char why[200];
	uint64_t addr;
	uint32_t size;

	assert_true(schedule_from_recording(&s, r, why, sizeof(why)));
	for (size_t i = 1; i < 6; i++) {
		const struct rec_object *o = &r->objects[r->steps[i].obj[0] - 1];
		assert_true(rec_memory_bytes(&r->memory, s.step[i].obj, s.step[i].span, &addr, &size));
		assert_int_equal(addr, o->addr);
		assert_int_equal(size, o->size);
	}
	assert_false(rec_memory_bytes(&r->memory, s.step[0].obj, 0, &addr, &size));
	assert_false(rec_memory_bytes(&r->memory, (object_id[2]){ OBJECT_MEMORY | 2 << 8, 0 }, 0, &addr, &size));
	assert_false(rec_memory_bytes(&r->memory, (object_id[2]){ OBJECT_MEMORY | 5, OBJECT_MEMORY | 4 }, 0, &addr, &size));
	assert_false(rec_memory_bytes(&r->memory, (object_id[2]){ OBJECT_MEMORY, OBJECT_MEMORY | 1 << 8 }, 0, &addr,
		&size));
	schedule_free(&s);
	recording_free(r);
}

static void expect_unusable(struct recording *r)
{
	struct schedule s;
	char why[200] = "";

	assert_false(schedule_from_recording(&s, r, why, sizeof(why)));
	assert_non_null(strstr(why, "memory that cannot be found"));
	schedule_free(&s);
	recording_free(r);
}

static void test_damaged(void **state)
{
	struct recording *r = sample_memory();

	r->memory.page[0].base = r->memory.page[1].base;
	expect_unusable(r);
	r = sample_memory();
	r->objects[1].addr += 4096; /* on a page that does not exist */
	expect_unusable(r);
	r = sample_memory();
	r->objects[1].size = 0;
	expect_unusable(r);
}

/* A new session contains exactly the memory that is described. */
static void test_install(void **state)
{
	struct recording *r = sample_memory();
	struct memory_table *m = calloc(1, sizeof(*m));
	struct await_table *a = calloc(1, sizeof(*a));

	assert_true(schedule_install_memory(&r->memory, m, a));
	assert_int_equal(m->n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(m->page[i].base, r->memory.page[i].base);
		for (unsigned k = 0; k < 64; k++) {
			const struct rec_page *p = &r->memory.page[i];
			assert_int_equal(m->page[i].shared[k], p->shared[k] & ~p->late[k]);
			assert_int_equal(m->page[i].discovered[k], p->late[k]);
		}
	}
	assert_true(memory_is_shared(m, 0x404fff, 1));
	assert_false(memory_is_shared(m, 0x404008, 4));
	assert_int_equal(await_find(a, 0xabcdef), 1);
	assert_int_equal(await_next(a, 1, 0x77), 1);
	assert_int_equal(a->edge[0].flags, AWAIT_VISIBLE);
	assert_false(schedule_install_memory(&(struct rec_memory){ .n_pages = 1, .page = &r->memory.page[1] }, m, a));
	free(m);
	free(a);
	recording_free(r);
}

/* Updates are steps of agents, which get their ids as they occur. The agents' names are translated too. */
static void test_agents(void **state)
{
	struct recording *r = sample_pso(0);
	struct schedule s;
	char why[200] = "", name[64];

	sample_update(r, 1, 3, 0x404004, 0);
	sample_store(r, 1, 4, 0x40400c, 13);
	sample_update(r, 1, 4, 0x40400c, 2);
	assert_true(schedule_from_recording(&s, r, why, sizeof(why)));
	assert_int_equal(s.names.count, 3);
	assert_int_equal(s.names.agents, 2);
	assert_int_equal(s.step[2].kind, EV_STORE);
	assert_int_equal(s.step[2].thread, 1);
	assert_int_equal(s.step[4].kind, EV_UPDATE);
	assert_int_equal(s.step[4].thread, MAX_THREADS);
	assert_int_equal(s.step[4].obj[0], OBJECT_MEMORY);
	assert_int_equal(s.step[4].span, 12 | 15 << 4);
	assert_int_equal(s.step[8].thread, MAX_THREADS + 1);
	assert_int_equal(s.step[10].thread, MAX_THREADS);
	assert_string_equal(thread_name_format(&s.names, MAX_THREADS, name, sizeof(name)), "T0.1~40400c");
	assert_string_equal(thread_name_format(&s.names, MAX_THREADS + 1, name, sizeof(name)), "T0.1~404004");
	schedule_free(&s);
	recording_free(r);
	r = sample_tso();
	assert_true(schedule_from_recording(&s, r, why, sizeof(why)));
	assert_int_equal(s.step[7].thread, MAX_THREADS);
	assert_int_equal(s.step[8].thread, MAX_THREADS + 1);
	assert_string_equal(thread_name_format(&s.names, MAX_THREADS, name, sizeof(name)), "T0.2~");
	schedule_free(&s);
	recording_free(r);
}

static void test_too_many_agents(void **state)
{
	struct recording *r = sample_pso(0);
	struct schedule s;
	char why[200] = "";

	for (unsigned i = 0; i < MAX_AGENTS; i++) {
		sample_store(r, 1, 3, 0x1000 + i, 13);
		sample_update(r, 1, 3, 0x1000 + i, i % UPDATE_NUMBERS);
	}
	assert_false(schedule_from_recording(&s, r, why, sizeof(why)));
	assert_non_null(strstr(why, "more addresses than the tables have room for"));
	recording_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_install),
		cmocka_unit_test(test_agents),
		cmocka_unit_test(test_too_many_agents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
