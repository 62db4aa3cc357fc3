/* Reads the section [memory] of a recording: the visible bytes, and the known spin loops. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/format/format.h"

/* Reads bytes of a page: "16-19" or "24". */
static bool read_range(struct scan *s, uint64_t bytes[MEMORY_PAGE / 64])
{
	char buf[24], *end;
	unsigned long low, high;

	if (!scan_word(s, buf, sizeof(buf)))
		return false;
	low = high = isdigit((unsigned char)buf[0]) ? strtoul(buf, &end, 10) : MEMORY_PAGE;
	if (high < MEMORY_PAGE && *end == '-' && isdigit((unsigned char)end[1]))
		high = strtoul(end + 1, &end, 10);
	if (low > high || high >= MEMORY_PAGE || *end)
		return scan_fail(s, "\"%s\" is not a range of bytes in a page", buf);
	for (; low <= high; low++)
		bytes[low / 64] |= UINT64_C(1) << low % 64;
	return true;
}

bool format_read_page(struct scan *s, struct rec_memory *m)
{
	struct rec_page *p;

	if (m->n_pages >= MEMORY_PAGES)
		return scan_fail(s, "there are too many pages");
	m->page = xgrow(m->page, m->n_pages, sizeof(*m->page));
	p = &m->page[m->n_pages++];
	memset(p, 0, sizeof(*p));
	if (!scan_u64(s, UINT64_MAX, &p->base))
		return false;
	while (scan_more(s))
		if (!read_range(s, p->shared))
			return false;
	return true;
}

bool format_read_late(struct scan *s, struct rec_memory *m)
{
	if (!m->n_pages)
		return scan_fail(s, "a late line comes before all pages");
	while (scan_more(s))
		if (!read_range(s, m->page[m->n_pages - 1].late))
			return false;
	return true;
}

/* The numbers of event kinds in WHAT of a spin line. They never change. */
static const struct {
	uint8_t number, kind;
} spin_kinds[] = { { 67, EV_LOAD }, { 68, EV_STORE }, { 69, EV_RMW } };

uint32_t format_spin_number(uint32_t what)
{
	for (size_t i = 0; i < sizeof(spin_kinds) / sizeof(*spin_kinds); i++)
		if (spin_kinds[i].kind == (uint8_t)what)
			return (what & ~0xffu) | spin_kinds[i].number;
	return what & ~0xffu;
}

bool format_spin_parse(uint32_t number, uint32_t *what)
{
	if (!number) { /* a spin loop that is only known as the destination of a round */
		*what = 0;
		return true;
	}
	for (size_t i = 0; i < sizeof(spin_kinds) / sizeof(*spin_kinds); i++)
		if (spin_kinds[i].number == (uint8_t)number) {
			*what = (number & ~0xffu) | spin_kinds[i].kind;
			return true;
		}
	return false;
}

bool format_read_spin(struct scan *s, struct rec_memory *m)
{
	uint32_t number;
	struct await_node *n;

	if (m->n_nodes >= AWAIT_NODES)
		return scan_fail(s, "there are too many spin lines");
	m->node = xgrow(m->node, m->n_nodes, sizeof(*m->node));
	n = &m->node[m->n_nodes++];
	memset(n, 0, sizeof(*n));
	return scan_u64(s, UINT64_MAX, &n->state) && scan_u64(s, UINT64_MAX, &n->addr) &&
		scan_u64(s, UINT64_MAX, &n->pc) && scan_u32(s, &n->size) &&
		scan_u32(s, &n->expected) && scan_u32(s, &number) &&
		(format_spin_parse(number, &n->what) || scan_fail(s, "a spin line has no operation of memory"));
}

bool format_read_round(struct scan *s, struct rec_memory *m)
{
	struct await_edge *e;

	if (m->n_edges >= AWAIT_EDGES)
		return scan_fail(s, "there are too many round lines");
	m->edge = xgrow(m->edge, m->n_edges, sizeof(*m->edge));
	e = &m->edge[m->n_edges++];
	memset(e, 0, sizeof(*e));
	return scan_u32(s, &e->from) && scan_u32(s, &e->found) && scan_u32(s, &e->to) &&
		scan_u32(s, &e->flags);
}
