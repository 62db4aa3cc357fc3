/*
 * Damaged rows of a database that machines share (simul run --search): pages of a search, the identity and the command beside them.
 *
 * The pages are those of a search of three threads that use one mutex, a few executions old. The first byte says what the rest is:
 *   0: a command.
 *   1: an identity.
 *   other: edits of pages. An edit is the index of a page among the stored ones (1 byte), a change of its number (1 byte, with a sign), an offset (2 bytes,
 *   little endian, modulo the size of a row), a count (1 byte, modulo EDIT_MOST, plus 1) and that many bytes. If the first byte is even, the checksums are
 *   made right. Bit 1: the last page is missing. Bit 2: the last row is one byte shorter.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/xalloc.h"
#include "cli/nightly/machines/command.h"
#include "cli/nightly/machines/replica.h"
#include "cli/segment/segment_keep.h"
#include "tests/fuzz/lib_fuzz.h"

#define MEMORY (UINT64_C(16) << 20) /* of the search */
#define EXECUTIONS 12
#define EDIT_MOST 24u

static const struct session_config config = {.mode = MODE_EXPLORE, .strategy = STRATEGY_OPTIMAL, .settings = {.max_steps = 400}, .hang_ns = 1};
static const struct identity identity = {(char *)(uintptr_t)"simul\0x\0path\0/bin/true", 23}; /* the last byte ends the string */
static struct replica_pages base;

static void make_segment(struct segment *seg)
{
	char why[1024];

	INVARIANT(segment_create(seg, &config, MEMORY, 0, NULL, NULL, why, sizeof(why)), "%s", why);
}

static void make_base(void)
{
	struct segment seg;
	struct replica replica;

	make_segment(&seg);
	INVARIANT(replica_open(&replica, &seg), "no memory");
	fuzz_search(&seg, EXECUTIONS);
	replica_changed(&replica, false, &base);
	replica_close(&replica);
	segment_close(&seg);
	INVARIANT(base.n > 2, "%zu pages", base.n);
}

/* Reads the rows as cli/nightly/machines/store.c does, and looks at the result as the supervisor does. Returns whether it was taken for a search. */
static bool try(const uint64_t *page, const char *rows, size_t n, size_t last)
{
	struct explore_stats stats;
	struct segment seg;
	struct replica replica;
	bool ok;

	make_segment(&seg);
	ok = replica_open(&replica, &seg);
	INVARIANT(ok, "no memory");
	for (size_t i = 0; ok && i < n; i++)
		ok = replica_put(&replica, false, page[i], rows + i * REPLICA_ROW, i + 1 < n ? REPLICA_ROW : last);
	if (ok && segment_go_on(&seg, &config, false)) {
		segment_stats(&seg, &stats);
		segment_can_keep(&seg);
		free(segment_sensors(&seg));
		free(segment_races(&seg));
	} else {
		ok = false;
	}
	replica_close(&replica);
	segment_close(&seg);
	return ok;
}

static void make_right(char *row, uint64_t page)
{
	uint64_t sum = hash_bytes(hash_word(HASH_START, page), row, REPLICA_PAGE);

	memcpy(row + REPLICA_PAGE, &sum, sizeof(sum));
}

static void try_pages(uint8_t how, const uint8_t *data, size_t size)
{
	uint64_t *page = xcalloc(base.n, sizeof(*page));
	char *rows = xcalloc(base.n, REPLICA_ROW);

	memcpy(page, base.page, base.n * sizeof(*page));
	memcpy(rows, base.rows, base.n * REPLICA_ROW);
	while (size > 5) {
		size_t i = data[0] % base.n, at = (data[2] | (size_t)data[3] << 8) % REPLICA_ROW, n = data[4] % EDIT_MOST + 1;

		page[i] += (uint64_t)(int64_t)(int8_t)data[1] * (data[1] & 1 ? 1 : UINT64_C(0x0101010101010101));
		data += 5;
		size -= 5;
		if (n > size)
			n = size;
		if (n > REPLICA_ROW - at)
			n = REPLICA_ROW - at;
		memcpy(rows + i * REPLICA_ROW + at, data, n);
		if (how % 2 == 0)
			make_right(rows + i * REPLICA_ROW, page[i]);
		data += n;
		size -= n;
	}
	try(page, rows, base.n - (how >> 1 & 1), REPLICA_ROW - (how >> 2 & 1));
	free(page);
	free(rows);
}

static void try_command(const uint8_t *data, size_t size)
{
	char *text = xcalloc(1, size + 1), **words;
	size_t length = 0;

	memcpy(text, data, size);
	words = command_words(text, size);
	for (char **w = words; w && *w; w++)
		length += strlen(*w) + 1;
	INVARIANT(!words || length == size, "%zu bytes of %zu", length, size);
	free(words);
	free(text);
}

static void try_identity(const uint8_t *data, size_t size)
{
	char *text = xcalloc(1, size ? size : 1), why[1200];

	memcpy(text, data, size);
	identity_same(&identity, text, size, why, sizeof(why));
	identity_value(text, size, "path");
	free(text);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	make_base();
	INVARIANT(try(base.page, base.rows, base.n, REPLICA_ROW), "rows that were not changed are refused");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] == 0)
		try_command(data + 1, size - 1);
	else if (data[0] == 1)
		try_identity(data + 1, size - 1);
	else
		try_pages(data[0], data + 1, size - 1);
	return 0;
}
