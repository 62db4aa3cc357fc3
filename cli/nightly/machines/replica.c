#include "cli/nightly/machines/replica.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "cli/segment/segment_keep.h"

bool replica_open(struct replica *r, const struct segment *seg)
{
	r->seg = seg;
	r->damaged = false;
	r->size = seg->layout.size + seg->layout.common_size;
	r->stored = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (r->stored == MAP_FAILED)
		r->stored = NULL;
	return r->stored != NULL;
}

void replica_close(struct replica *r)
{
	if (r->stored)
		munmap(r->stored, r->size);
	r->stored = NULL;
}

/* Returns whether machines share this page. Thread names appear in both parts and belong to the common one. Counters of workers on one
   machine lie before them. */
static bool belongs(const struct segment *seg, bool common, uint64_t off)
{
	const struct session_layout *l = &seg->layout;

	if (common)
		return off >= l->common_off + l->common_names && off + REPLICA_PAGE <= l->common_off + l->common_size;
	return off + REPLICA_PAGE <= l->size && (off < l->names_off || off >= l->names_off + l->names_size);
}

static uint64_t checksum(uint64_t page, const void *bytes)
{
	return hash_bytes(hash_word(HASH_START, page), bytes, REPLICA_PAGE);
}

static void append(struct replica_pages *out, uint64_t page, const char *bytes)
{
	uint64_t sum = checksum(page, bytes);
	char *row;

	out->page = xgrow(out->page, out->n, sizeof(*out->page));
	out->rows = xgrow(out->rows, out->n, REPLICA_ROW);
	out->page[out->n] = page;
	row = out->rows + out->n * REPLICA_ROW;
	memcpy(row, bytes, REPLICA_PAGE);
	memcpy(row + REPLICA_PAGE, &sum, sizeof(sum));
	out->n++;
}

static void write_numbers(struct replica_pages *out)
{
	size_t size;
	FILE *f = open_memstream(&out->numbers, &size);

	INVARIANT(f, "out of memory");
	fputc('{', f);
	for (size_t i = 0; i < out->n; i++)
		fprintf(f, "%s%" PRIu64, i ? "," : "", out->page[i]);
	fputc('}', f);
	INVARIANT(fclose(f) == 0, "out of memory");
}

void replica_changed(const struct replica *r, bool common, struct replica_pages *out)
{
	const char *live = (const char *)r->seg->session;
	struct segment_range range;
	uint64_t last = UINT64_MAX;

	memset(out, 0, sizeof(*out));
	for (uint64_t at = 0; common ? segment_keep_common_next(r->seg, &at, &range) : segment_keep_next(r->seg, &at, &range);)
		for (uint64_t page = range.off / REPLICA_PAGE; page * REPLICA_PAGE < range.off + range.size; page++) {
			uint64_t off = page * REPLICA_PAGE;

			if (page == last || !belongs(r->seg, common, off) || !memcmp(live + off, r->stored + off, REPLICA_PAGE))
				continue;
			last = page;
			append(out, page, live + off);
		}
	write_numbers(out);
}

void replica_stored(struct replica *r, const struct replica_pages *pages)
{
	for (size_t i = 0; i < pages->n; i++)
		memcpy(r->stored + pages->page[i] * REPLICA_PAGE, pages->rows + i * REPLICA_ROW, REPLICA_PAGE);
}

void replica_free(struct replica_pages *pages)
{
	free(pages->numbers);
	free(pages->rows);
	free(pages->page);
}

bool replica_put(struct replica *r, bool common, uint64_t page, const void *row, size_t size)
{
	uint64_t sum;

	r->damaged = size != REPLICA_ROW || page >= r->size / REPLICA_PAGE || !belongs(r->seg, common, page * REPLICA_PAGE) ||
		     (memcpy(&sum, (const char *)row + REPLICA_PAGE, sizeof(sum)), sum != checksum(page, row));
	if (r->damaged)
		return false;
	memcpy((char *)r->seg->session + page * REPLICA_PAGE, row, REPLICA_PAGE);
	memcpy(r->stored + page * REPLICA_PAGE, row, REPLICA_PAGE);
	return true;
}
