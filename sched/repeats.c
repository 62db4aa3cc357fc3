/* Reads that repeat; see repeats.h. */
#include "sched/repeats.h"
#include "base/hash.h"
#include "base/table.h"

#define MOST_TRIES 64 /* then the table of checks is as good as full */

void repeats_see(struct await_table *t, uint64_t pc)
{
	if (await_add_fact(t, pc, AWAIT_REPEATS_SEEN))
		t->changes++;
}

void repeats_apply(struct await_table *t)
{
	for (uint32_t i = 0, n = t->nodes; i < n; i++)
		if ((t->node[i].what & AWAIT_REPEATS_SEEN) && !await_fact(t, t->node[i].pc, AWAIT_REPEATS_REFUSED))
			await_add_fact(t, t->node[i].pc, AWAIT_REPEATS);
}

void repeats_refuse(struct await_table *t, uint64_t pc)
{
	bool used = await_fact(t, pc, AWAIT_REPEATS) != 0;
	if (await_add_fact(t, pc, AWAIT_REPEATS_REFUSED))
		t->changes += used;
}

bool repeats_left_out(const struct await_table *t, uint64_t pc, uint32_t nodes)
{
	uint32_t yes = await_fact(t, pc, AWAIT_REPEATS), no = yes ? await_fact(t, pc, AWAIT_REPEATS_REFUSED) : 0;
	return yes && yes <= nodes && !(no && no <= nodes);
}

bool repeats_seen(const struct await_table *t, uint64_t pc)
{
	return await_fact(t, pc, AWAIT_REPEATS_SEEN) && !await_fact(t, pc, AWAIT_REPEATS_REFUSED);
}

void repeats_note_checked(struct await_table *t, uint64_t pc)
{
	await_add_fact(t, pc, AWAIT_REPEATS_CHECKED);
}

bool repeats_checked(const struct await_table *t, uint64_t pc)
{
	return await_fact(t, pc, AWAIT_REPEATS_CHECKED);
}

/* Returns the first slot for the key at which `stop` holds; TABLE_FULL: the table is as good as full. */
#define SLOT(i, key, stop) TABLE_SLOT_WITHIN(i, hash_spread(key) >> 32, AWAIT_CHECKS, MOST_TRIES, stop)

void repeats_check(struct await_table *t, uint64_t pc, uint64_t state, uint64_t next)
{
	if (t->frozen)
		return;
	uint32_t i = SLOT(k, state, !t->check[k].key || t->check[k].key == state);
	if (i == TABLE_FULL) {
		repeats_refuse(t, pc);
		return;
	}
	if (t->check[i].key && t->check[i].value != next)
		repeats_refuse(t, pc);
	t->check[i].key = state;
	t->check[i].value = next;
}

const struct await_found *repeats_value(const struct await_table *t, uint64_t state, uint32_t i)
{
	uint32_t at = SLOT(k, state, !t->value[k].state || (t->value[k].state == state && i-- == 0));
	return at != TABLE_FULL && t->value[at].state ? &t->value[at] : NULL;
}

void repeats_add(struct await_table *t, uint64_t pc, uint64_t state, uint64_t value, bool stays)
{
	uint32_t at = SLOT(i, state, !t->value[i].state);
	if (at == TABLE_FULL)
		repeats_refuse(t, pc);
	else
		t->value[at] = (struct await_found){ .state = state, .value = value, .stays = stays };
}
