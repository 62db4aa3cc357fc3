/* Memory as objects: how ranges are named, which bytes are shared, how values are fingerprinted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/event.h"
#include "sched/memory.h"

static struct memory_table *table;

static int fresh(void **state)
{
	table = calloc(1, sizeof *table);
	return table ? 0 : -1;
}

static int gone(void **state)
{
	free(table);
	return 0;
}

static struct event event_of(thread_id t, unsigned mode, uint64_t addr, uint32_t size)
{
	struct event e = {.thread = t, .kind = mode == M_READ ? EV_LOAD : EV_STORE};
	assert_true(memory_name(table, addr, size, e.obj, &e.span));
	e.mode[0] = (uint8_t)mode;
	e.mode[1] = (uint8_t)(e.obj[1] ? mode : M_NONE);
	return e;
}

/* A name determines the bytes of its range exactly. */
static void names(void **state)
{
	static const uint32_t sizes[] = {1, 2, 3, 4, 8, 15, 16, 17, 31, 32, 33, 40, 64, 255, 256, 4096};
	for (uint64_t off = 0; off < 4096; off += 1 + off % 7)
		for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			uint64_t lo = 0, hi = 0, addr = 0x7fff12345000 + off;
			if (off + sizes[k] > 4096)
				continue;
			struct event e = event_of(1, M_WRITE, addr, sizes[k]);
			assert_true(object_is_memory(e.obj[0]));
			assert_true(event_bytes(&e, &lo, &hi));
			assert_int_equal(hi - lo + 1, sizes[k]);
			assert_int_equal(memory_address(table, e.obj[0]) + (e.span & 15), addr);
			assert_int_equal(lo & 15, addr & 15);
			if (off / 16 == (off + sizes[k] - 1) / 16)
				assert_int_equal(e.obj[1], 0);
			else
				assert_int_equal(memory_address(table, e.obj[1]) + (e.span >> 4), addr + sizes[k] - 1);
		}
	assert_int_equal(memory_address(table, 5), 0);
	assert_int_equal(memory_address(table, OBJECT_MEMORY | 1u << 8), 0); /* no such page */
	assert_int_equal(table->n, 1);
}

/* Two events are dependent exactly when they share a byte and one writes. */
static void overlap(void **state)
{
	uint64_t r = 1;
	for (unsigned i = 0; i < 200000; i++) {
		uint64_t at[2];
		uint32_t size[2];
		unsigned mode[2];
		for (unsigned k = 0; k < 2; k++) {
			r = r * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			size[k] = 1 + (uint32_t)(r >> 33) % ((r >> 60 & 1) ? 70 : 9);
			at[k] = 0x10000f00 + (r >> 40) % 90 + ((r >> 61 & 1) ? 0x100 : 0);
			mode[k] = r >> 62 ? M_WRITE : M_READ;
		}
		struct event a = event_of(1, mode[0], at[0], size[0]), b = event_of(2, mode[1], at[1], size[1]);
		bool common = at[0] < at[1] + size[1] && at[1] < at[0] + size[0];
		bool expected = common && (mode[0] == M_WRITE || mode[1] == M_WRITE);
		if (events_dependent(&a, &b) != expected || events_dependent(&b, &a) != expected)
			fail_msg("%#lx+%u %u, %#lx+%u %u", (unsigned long)at[0], size[0], mode[0], (unsigned long)at[1],
				size[1], mode[1]);
	}
}

/* A futex wait reads its word, and the end of a once writes its guard. Neither is confused with the event's other object. */
static void second_object(void **state)
{
	struct event word = event_of(2, M_WRITE, 0x5004, 4), other = event_of(2, M_WRITE, 0x5008, 4);
	struct event wait = {.thread = 1, .kind = EV_FUTEX_WAIT, .mode = {M_ENQ, M_READ}, .obj = {7, word.obj[0]}, .span = word.span};
	struct event done = {.thread = 3, .kind = EV_ONCE_DONE, .mode = {M_REL, M_WRITE}, .obj = {8, word.obj[0]}, .span = word.span};
	struct event wake = {.thread = 4, .kind = EV_FUTEX_WAKE, .mode = {M_SIG}, .obj = {7}};
	assert_true(events_dependent(&wait, &word));
	assert_true(events_dependent(&word, &wait));
	assert_false(events_dependent(&wait, &other));
	assert_true(events_dependent(&wait, &done));
	assert_true(events_dependent(&wait, &wake));
	assert_false(events_dependent(&done, &wake));
	word.mode[0] = M_READ;
	assert_false(events_dependent(&wait, &word));
	assert_true(events_dependent(&done, &word));
	wait.obj[1] = 0; /* its word is not shared */
	wait.mode[1] = M_NONE;
	assert_false(events_dependent(&wait, &done));
}

static void pages(void **state)
{
	uint32_t first = memory_page_intern(table, 0x1234), second = memory_page_intern(table, 0x7fffffffe010);
	assert_int_not_equal(first, second);
	assert_int_equal(memory_page_intern(table, 0x1fff), first);
	assert_int_equal(table->page[first].base, 0x1000);
	assert_ptr_equal(memory_page_find(table, 0x7fffffffefff), &table->page[second]);
	assert_null(memory_page_find(table, 0x2000));
}

static void sharing(void **state)
{
	assert_false(memory_is_shared(table, 0, UINT64_C(1) << 20));
	assert_true(memory_share(table, 0x4ffe, 4)); /* over the end of a page */
	assert_int_equal(table->changes, 1);
	assert_false(memory_share(table, 0x4fff, 2));
	assert_int_equal(table->changes, 1);
	assert_int_equal(table->n, 2);
	assert_false(memory_is_shared(table, 0x4ffd, 1));
	assert_true(memory_is_shared(table, 0x4ffd, 2));
	assert_true(memory_is_shared(table, 0x5001, 1));
	assert_false(memory_is_shared(table, 0x5002, 100000));
	assert_true(memory_is_shared(table, 0x3000, 0x3000));
}

/* What becomes visible in the middle of an execution is marked until the next one. */
static void sharing_late(void **state)
{
	assert_true(memory_discover(table, 0x4000, 4));
	assert_false(memory_discover(table, 0x4000, 4));
	assert_true(memory_share_late(table, 0x4002, 4)); /* two of these bytes were to become visible later */
	assert_false(memory_share_late(table, 0x4002, 4));
	assert_false(memory_discover(table, 0x4002, 4));
	assert_false(memory_is_shared(table, 0x4000, 2));
	assert_true(memory_is_shared(table, 0x4005, 1));
	assert_true(memory_is_marked(table, 0x4001) && memory_is_marked(table, 0x4005));
	assert_false(memory_is_marked(table, 0x4006) || memory_is_marked(table, 0x9000));
	memory_begin_again(table);
	assert_true(memory_is_marked(table, 0x4001));
	assert_false(memory_is_marked(table, 0x4005));
	memory_apply(table);
	assert_true(memory_is_shared(table, 0x4001, 1));
	assert_false(memory_is_marked(table, 0x4001));
}

/* Every page gets a slot until the table is full. Then an error is returned. */
static void full(void **state)
{
	object_id obj[2];
	uint8_t span;
	for (uint64_t k = 0; k < MEMORY_PAGES; k++)
		assert_int_equal(memory_page_intern(table, k * 0x11000), k);
	assert_int_equal(table->full, 0);
	assert_true(memory_name(table, 0x11000 + 8, 8, obj, &span));
	assert_int_equal(memory_address(table, obj[0]), 0x11000);
	assert_false(memory_name(table, 0x12000, 8, obj, &span));
	assert_int_equal(table->full, 1);
	assert_false(memory_share(table, 0x12000, 8));
	assert_true(memory_share(table, 0x11000, 8));
}

/* Equal bytes have equal fingerprints. Different bytes have different ones, as far as 32 bits allow. A fingerprint is never 0. */
static void fingerprints(void **state)
{
	unsigned char a[64] = {0}, b[80];
	for (uint32_t size = 1; size <= sizeof a; size++) {
		for (uint32_t at = 0; at < 16; at++) {
			memcpy(b + at, a, size); /* independent of the alignment and of the bytes that follow */
			assert_int_equal(memory_fingerprint(a, size), memory_fingerprint(b + at, size));
		}
		for (uint32_t k = 0; k < size; k++) {
			uint32_t before = memory_fingerprint(a, size);
			a[k] ^= (unsigned char)(1 + k);
			assert_int_not_equal(memory_fingerprint(a, size), before);
			assert_int_not_equal(memory_fingerprint(a, size), 0);
		}
	}
	for (uint32_t k = 0, same = 0; k < 3000; k++) {
		uint32_t x = k, y = k + 1;
		same += memory_fingerprint(&x, 4) == memory_fingerprint(&y, 4);
		assert_int_equal(same, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names, fresh, gone),
		cmocka_unit_test_setup_teardown(overlap, fresh, gone),
		cmocka_unit_test_setup_teardown(second_object, fresh, gone),
		cmocka_unit_test_setup_teardown(pages, fresh, gone),
		cmocka_unit_test_setup_teardown(sharing, fresh, gone),
		cmocka_unit_test_setup_teardown(sharing_late, fresh, gone),
		cmocka_unit_test_setup_teardown(full, fresh, gone),
		cmocka_unit_test_setup_teardown(fingerprints, fresh, gone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
