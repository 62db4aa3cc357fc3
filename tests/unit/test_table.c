/* Hash tables over an array of the caller: base/table.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/table.h"

#define SLOTS 64u

struct keys {
	uint64_t key[SLOTS]; /* 0: free */
};

/* Returns the key's slot, or the free slot where it belongs. */
static uint32_t slot_of(const struct keys *t, uint64_t key)
{
	return TABLE_SLOT(i, hash_spread(key) >> 32, SLOTS, !t->key[i] || t->key[i] == key);
}

static uint32_t slot_within(const struct keys *t, uint64_t hash, uint64_t key, uint32_t most)
{
	return TABLE_SLOT_WITHIN(i, hash, SLOTS, most, !t->key[i] || t->key[i] == key);
}

static void found_where_inserted(void **state)
{
	struct keys t = { { 0 } };
	uint32_t at[SLOTS];

	for (uint64_t key = 1; key < SLOTS; key++) { /* one slot stays free */
		at[key] = slot_of(&t, key);
		assert_int_equal(t.key[at[key]], 0);
		t.key[at[key]] = key;
	}
	for (uint64_t key = 1; key < SLOTS; key++)
		assert_int_equal(slot_of(&t, key), at[key]);
	assert_int_equal(t.key[slot_of(&t, SLOTS)], 0);
}

/* Keys with the same hash take the slots in order, from the last one to the first. */
static void slots_in_order(void **state)
{
	struct keys t = { { 0 } };

	for (uint64_t key = 1; key <= 4; key++) {
		uint32_t at = slot_within(&t, 2 * SLOTS - 2, key, SLOTS);

		assert_int_equal(at, (SLOTS - 2 + key - 1) % SLOTS);
		t.key[at] = key;
	}
	assert_int_equal(slot_within(&t, SLOTS - 2, 3, SLOTS), 0);
}

/* Only the low 32 bits of the hash count. */
static void hash_is_cut(void **state)
{
	struct keys t = { { 0 } };

	assert_int_equal(slot_within(&t, UINT64_C(0xffffffff00000005), 1, SLOTS), 5);
	assert_int_equal(slot_within(&t, UINT64_MAX, 1, SLOTS), SLOTS - 1);
}

static void full(void **state)
{
	struct keys t;

	for (uint64_t i = 0; i < SLOTS; i++)
		t.key[i] = i + 1;
	for (uint64_t key = 1; key <= SLOTS; key++)
		assert_int_equal(slot_within(&t, hash_spread(key), key, SLOTS), key - 1);
	assert_int_equal(slot_within(&t, 7, SLOTS + 1, SLOTS), TABLE_FULL);
	assert_int_equal(slot_within(&t, 0, SLOTS, SLOTS), SLOTS - 1); /* the last slot that is looked at */
	assert_int_equal(slot_within(&t, 0, SLOTS, SLOTS - 1), TABLE_FULL);
	memset(&t, 0, sizeof t); /* emptied as a whole */
	assert_int_equal(slot_within(&t, 7, SLOTS + 1, SLOTS), 7);
}

static void as_good_as_full(void **state)
{
	struct keys t = { { 0 } };

	for (uint32_t i = 0; i < 8; i++)
		t.key[i] = i + 1;
	assert_int_equal(slot_within(&t, 0, 9, 8), TABLE_FULL);
	assert_int_equal(slot_within(&t, 0, 9, 9), 8);
	assert_int_equal(slot_within(&t, 0, 9, 0), TABLE_FULL);
}

static void smallest(void **state)
{
	uint64_t key = 0;

	assert_int_equal(TABLE_SLOT(i, 12345, 1, !(&key)[i]), 0);
	key = 3;
	assert_int_equal(TABLE_SLOT_WITHIN(i, 12345, 1, 1, (&key)[i] == 4), TABLE_FULL);
}

/* The table has numbers of elements that lie elsewhere; several elements have the same key. */
static void each_slot_once(void **state)
{
	static const char *const name[] = { NULL, "a", "b", "a", "a" };
	uint8_t number[SLOTS] = { 0 };
	unsigned looked = 0, nth = 2;
	uint32_t at;

	for (uint8_t n = 1; n <= 4; n++)
		number[TABLE_SLOT(i, 60, SLOTS, !number[i])] = n;
	at = TABLE_SLOT(i, 60, SLOTS, (looked++, !number[i] || (!strcmp(name[number[i]], "a") && nth-- == 0)));
	assert_int_equal(number[at], 4);
	assert_int_equal(looked, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found_where_inserted),
		cmocka_unit_test(slots_in_order),
		cmocka_unit_test(hash_is_cut),
		cmocka_unit_test(full),
		cmocka_unit_test(as_good_as_full),
		cmocka_unit_test(smallest),
		cmocka_unit_test(each_slot_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
