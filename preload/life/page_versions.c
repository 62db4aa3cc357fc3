#include "preload/life/page_versions.h"

#include "base/processor.h"
#include "preload/base/rules.h"

#define NO_PAGE UINT32_MAX

static size_t head_bytes(uint32_t pages)
{
	return (pages * sizeof(uint32_t) + VERSION_SLOTS * sizeof(struct version) + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

size_t versions_bytes(uint32_t pages)
{
	return head_bytes(pages) + (size_t)VERSION_SLOTS * PAGE_BYTES;
}

void versions_at(struct versions *v, void *memory, uint32_t pages)
{
	v->used = 0;
	v->of = memory;
	v->newest = (uint32_t *)(v->of + VERSION_SLOTS);
	v->data = (char *)memory + head_bytes(pages);
}

bool versions_add(struct versions *v, uint32_t i, const void *page)
{
	if (v->used == VERSION_SLOTS)
		return false;
	v->of[v->used] = (struct version){ .page = i, .older = v->newest[i] };
	processor_copy(versions_slot(v, v->used), page, PAGE_BYTES);
	v->newest[i] = ++v->used;
	return true;
}

void *versions_piece(struct versions *v, size_t bytes)
{
	size_t slots = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
	if (slots > VERSION_SLOTS - v->used)
		return NULL;
	void *p = versions_slot(v, v->used);
	while (slots--)
		v->of[v->used++] = (struct version){ .page = NO_PAGE };
	return p;
}

void versions_drop(struct versions *v, uint32_t mark)
{
	while (v->used > mark) {
		const struct version *last = &v->of[--v->used];
		if (last->page != NO_PAGE)
			v->newest[last->page] = last->older;
	}
}
