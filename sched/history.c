/* Accesses to one word; see history.h. */
#include "sched/history.h"

/* How atomic an access is known to be. */
static int rank(unsigned flags)
{
	return flags & PAST_ATOMIC ? 2 : flags & PAST_PLAIN ? 0 : 1;
}

static bool stands_for(const struct past *now, const struct past *p)
{
	return ((now->flags & PAST_WRITE) || !(p->flags & PAST_WRITE)) && rank(now->flags) <= rank(p->flags);
}

static uint32_t new_past(struct history *y)
{
	uint32_t i = y->empty;
	if (i) {
		y->empty = y->at[i].next;
		return i;
	}
	return y->used + 1 < y->cap ? ++y->used : 0;
}

static void give_back(struct history *y, uint32_t i)
{
	y->at[i].next = y->empty;
	y->empty = i;
}

static bool comes_before(const struct history *y, const struct hb *h, const struct past *p, thread_id now)
{
	if (p->thread == now)
		return true;
	uint32_t seen = hb_seen(h, now, p->thread);
	return seen >= p->epoch && !(y->hides && !(p->flags & PAST_EVENT) && y->hides(p->thread, p->epoch, seen));
}

bool history_append(struct history *y, uint32_t *head, const struct past *p)
{
	uint32_t i = new_past(y);
	if (!i)
		return false;
	y->at[i] = *p;
	y->at[i].next = *head; /* the latest comes first, since it is the most likely to be repeated */
	*head = i;
	return true;
}

bool history_add(struct history *y, uint32_t *head, const struct hb *h, const struct past *now, uint32_t keep,
	history_conflict conflict, void *ctx)
{
	uint32_t *link = head, alike = 0;
	while (*link) {
		struct past *p = &y->at[*link];
		unsigned both = p->bytes & now->bytes;
		bool before = comes_before(y, h, p, now->thread);
		if (both && !before && ((p->flags | now->flags) & PAST_WRITE))
			conflict(ctx, p, now, both);
		bool kept = keep && p->thread == now->thread && p->epoch >= keep && p->epoch != now->epoch;
		if (before && !kept && stands_for(now, p))
			p->bytes &= (uint8_t)~both;
		if (!p->bytes) {
			uint32_t gone = *link;
			*link = p->next;
			give_back(y, gone);
			continue;
		}
		if (p->thread == now->thread && p->epoch == now->epoch && p->pc == now->pc && p->flags == now->flags)
			alike = *link;
		link = &p->next;
	}
	if (alike) {
		y->at[alike].bytes |= now->bytes;
		return true;
	}
	return history_append(y, head, now);
}

void history_forget(struct history *y, uint32_t *head, unsigned bytes)
{
	for (uint32_t *link = head; *link;) {
		uint32_t i = *link;
		y->at[i].bytes &= (uint8_t)~bytes;
		if (y->at[i].bytes) {
			link = &y->at[i].next;
		} else {
			*link = y->at[i].next;
			give_back(y, i);
		}
	}
}
