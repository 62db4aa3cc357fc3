/* Interned spawn paths: see ids.h. */
#include "sched/ids.h"

#include <string.h>

void thread_names_init(struct thread_names *names)
{
	memset(names, 0, sizeof *names);
	names->count = 1;
	names->name[0].parent = NO_THREAD;
}

static void raise_to(uint32_t *number, uint32_t at_least)
{
	uint32_t n = __atomic_load_n(number, __ATOMIC_ACQUIRE);
	while (n < at_least && !__atomic_compare_exchange_n(number, &n, at_least, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
}

/* A session has few entries, and asks once per creation, so a scan is enough. A child's id is always larger than its parent's, so the
   scan starts there. */
thread_id thread_names_intern(struct thread_names *names, thread_id parent, unsigned child_no)
{
	const struct thread_name wanted = { { { .parent = parent, .child_no = (uint16_t)child_no } } };
	if (child_no == 0 || child_no > UINT16_MAX || parent >= names->count)
		return NO_THREAD;
	for (uint32_t t = (uint32_t)parent + 1; t < MAX_THREADS; t++) {
		uint32_t *word = &names->name[t].word, found = __atomic_load_n(word, __ATOMIC_ACQUIRE);
		if (!found && __atomic_compare_exchange_n(word, &found, wanted.word, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			found = wanted.word;
		if (found == wanted.word) {
			raise_to(&names->count, t + 1);
			return (thread_id)t;
		}
	}
	return NO_THREAD;
}

thread_id agent_intern(struct thread_names *names, thread_id owner, uint64_t place)
{
	const uint64_t wanted = (uint64_t)(owner + 1u) << PLACE_BITS | place;
	if (owner >= names->count || place >> PLACE_BITS)
		return NO_THREAD;
	for (uint32_t k = 0; k < MAX_AGENTS; k++) {
		uint64_t *word = &names->agent[k].word, found = __atomic_load_n(word, __ATOMIC_ACQUIRE);
		if (!found && __atomic_compare_exchange_n(word, &found, wanted, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			found = wanted;
		if (found == wanted) {
			raise_to(&names->agents, k + 1);
			return (thread_id)(MAX_THREADS + k);
		}
	}
	return NO_THREAD;
}

thread_id agent_owner(const struct thread_names *names, thread_id t)
{
	if (!is_agent(t))
		return t;
	uint32_t k = t - (uint32_t)MAX_THREADS;
	return k < names->agents ? agent_name_owner(&names->agent[k]) : NO_THREAD;
}

static void put(char *buf, size_t size, size_t *at, char c)
{
	if (*at + 1 < size)
		buf[(*at)++] = c;
}

static void put_hex(char *buf, size_t size, size_t *at, uint64_t n)
{
	int shift = 60;
	while (shift && !(n >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		put(buf, size, at, "0123456789abcdef"[n >> shift & 15]);
}

static void put_number(char *buf, size_t size, size_t *at, unsigned n)
{
	char digits[12];
	unsigned k = 0;
	do {
		digits[k++] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	while (k)
		put(buf, size, at, digits[--k]);
}

/* A path may be as long as the table (each thread created by the one before), so there is no recursion. */
char *thread_name_format(const struct thread_names *names, thread_id t, char *buf, size_t size)
{
	size_t at = 0;
	const struct agent_name *agent = NULL;
	if (size == 0)
		return buf;
	if (is_agent(t) && t - (uint32_t)MAX_THREADS < names->agents) {
		agent = &names->agent[t - MAX_THREADS];
		t = agent_name_owner(agent);
	}
	if (t >= names->count) {
		put(buf, size, &at, '?');
		buf[at] = 0;
		return buf;
	}
	unsigned depth = 0;
	for (thread_id u = t; u != 0; u = names->name[u].parent)
		depth++;
	put(buf, size, &at, 'T');
	put(buf, size, &at, '0');
	for (; depth > 0; depth--) {
		thread_id u = t;
		for (unsigned up = 1; up < depth; up++)
			u = names->name[u].parent;
		put(buf, size, &at, '.');
		put_number(buf, size, &at, names->name[u].child_no);
	}
	if (agent)
		put(buf, size, &at, '~');
	if (agent && agent_name_place(agent) != PLACE_ALL)
		put_hex(buf, size, &at, agent_name_place(agent));
	buf[at] = 0;
	return buf;
}

static thread_id parse_agent(struct thread_names *names, thread_id owner, const char *text)
{
	uint64_t place = 0;
	unsigned digits = 0;
	for (; digits <= 16; digits++, text++) {
		if (*text >= '0' && *text <= '9')
			place = place << 4 | (uint64_t)(*text - '0');
		else if (*text >= 'a' && *text <= 'f')
			place = place << 4 | (uint64_t)(*text - 'a' + 10);
		else
			break;
	}
	return *text || digits > 16 || (digits && !place) ? NO_THREAD : agent_intern(names, owner, place);
}

thread_id thread_name_parse(struct thread_names *names, const char *text)
{
	if (strncmp(text, "T0", 2) != 0)
		return NO_THREAD;
	text += 2;
	thread_id t = 0;
	while (*text == '.') {
		unsigned n = 0, digits = 0;
		for (text++; *text >= '0' && *text <= '9' && n <= UINT16_MAX; text++, digits++)
			n = n * 10 + (unsigned)(*text - '0');
		if (digits == 0)
			return NO_THREAD;
		t = thread_names_intern(names, t, n);
		if (t == NO_THREAD)
			return NO_THREAD;
	}
	return *text == '~' ? parse_agent(names, t, text + 1) : *text ? NO_THREAD : t;
}
