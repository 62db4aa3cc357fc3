/*
 * Brute force over tiny programs, for late.py: each access of each thread is a step, under a memory model.
 *
 *   brute MODEL... <PROGRAMS
 *
 * A program is a line "program THREADS", and for each thread a line "thread INSTRUCTIONS" with one line for each instruction:
 *   L place | S place value | A place | C place expected new     load, store, fetch and add 1, compare and exchange
 *   SEEN | CONST value                                           adds the loaded value, or this value, to what the thread has seen
 *   Z to | NE value to | J to                                    jumps: if what was loaded is 0; if it is not the value; always
 * Prints for each program and model a line: "few", or "stuck STATUS..." (stuck: 1 when a state can be reached from which the program cannot end),
 * or "many" when there are too many states.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 12, THREADS = 3, INSTRUCTIONS = 96, BUFFER = 32, MODULUS = 5, MOST_STATES = 400000, STATUSES = 128 };
enum model { SC, TSO, PSO };

struct instruction {
	char name[8];
	int a[3];
};
struct thread {
	uint8_t pc, seen, n; /* n: stores in the buffer, the oldest first */
	struct { uint8_t place, value; } buffer[BUFFER];
};
struct state {
	uint8_t mem[PLACES];
	struct thread thread[THREADS];
};

static struct instruction code[THREADS][INSTRUCTIONS];
static int length[THREADS], threads;

/* States are stored packed, one after the other; each has a number. */
static uint8_t *packed;
static size_t packed_used, packed_room, *start;
static uint32_t n_states, *table, table_size;
static struct { uint32_t from, to; } *edge;
static size_t n_edges, edges_room;
static uint32_t *ends, n_ends;

static void die(const char *why)
{
	fprintf(stderr, "brute: %s\n", why);
	exit(2);
}

static void *grow(void *p, size_t n, size_t size)
{
	void *q = realloc(p, n * size);
	if (!q)
		die("no memory");
	return q;
}

/* ---- states ---- */

static size_t pack(const struct state *s, uint8_t *to)
{
	uint8_t *p = to;
	memcpy(p, s->mem, PLACES);
	p += PLACES;
	for (int t = 0; t < threads; t++) {
		size_t n = 3 + 2 * (size_t)s->thread[t].n;
		memcpy(p, &s->thread[t], n);
		p += n;
	}
	return (size_t)(p - to);
}

static void unpack(struct state *s, const uint8_t *p)
{
	memcpy(s->mem, p, PLACES);
	p += PLACES;
	for (int t = 0; t < threads; t++) {
		size_t n = 3 + 2 * (size_t)p[2];
		memcpy(&s->thread[t], p, n);
		p += n;
	}
}

static uint32_t hash(const uint8_t *p, size_t n)
{
	uint64_t h = 0xcbf29ce484222325;
	while (n--)
		h = (h ^ *p++) * 0x100000001b3;
	return (uint32_t)(h ^ h >> 32);
}

static uint32_t *slot(const uint8_t *p, size_t n)
{
	uint32_t i = hash(p, n) & (table_size - 1);
	for (; table[i]; i = (i + 1) & (table_size - 1)) {
		size_t at = start[table[i] - 1];
		if (start[table[i]] - at == n && !memcmp(packed + at, p, n))
			break;
	}
	return &table[i];
}

static void rehash(void)
{
	table_size = table_size ? table_size * 2 : 4096;
	table = grow(table, table_size, sizeof(*table));
	memset(table, 0, table_size * sizeof(*table));
	for (uint32_t i = 0; i < n_states; i++)
		*slot(packed + start[i], start[i + 1] - start[i]) = i + 1;
}

/* The number of this state, which may be a new one. */
static uint32_t number(const struct state *s)
{
	uint8_t p[sizeof(*s)];
	size_t n = pack(s, p);
	uint32_t *at;

	if (2 * n_states >= table_size)
		rehash();
	at = slot(p, n);
	if (*at)
		return *at - 1;
	if (packed_used + n > packed_room)
		packed = grow(packed, packed_room = 2 * packed_room + 65536, 1);
	memcpy(packed + packed_used, p, n);
	packed_used += n;
	start[n_states + 1] = packed_used;
	*at = ++n_states;
	return n_states - 1;
}

/* ---- steps ---- */

static bool is(const struct instruction *i, const char *name) { return !strcmp(i->name, name); }

/* Proceeds to the next access, or to the end. */
static void run_local(int t, struct thread *th, int loaded)
{
	while (th->pc < length[t]) {
		const struct instruction *i = &code[t][th->pc];
		int next = th->pc + 1;

		if (is(i, "SEEN"))
			th->seen = (uint8_t)((th->seen * 3 + loaded) % MODULUS);
		else if (is(i, "CONST"))
			th->seen = (uint8_t)((th->seen * 3 + i->a[0]) % MODULUS);
		else if (is(i, "J"))
			next = i->a[0];
		else if (is(i, "NE"))
			next = loaded != i->a[0] ? i->a[1] : next;
		else if (is(i, "Z"))
			next = loaded == 0 ? i->a[0] : next;
		else
			return;
		th->pc = (uint8_t)next;
	}
}

static void reach(uint32_t from, const struct state *s)
{
	uint32_t to = number(s);
	if (n_edges == edges_room)
		edge = grow(edge, edges_room = 2 * edges_room + 65536, sizeof(*edge));
	edge[n_edges].from = from;
	edge[n_edges++].to = to;
}

static void update(uint32_t from, const struct state *s, int t, int i)
{
	struct state next = *s;
	struct thread *th = &next.thread[t];

	next.mem[th->buffer[i].place] = th->buffer[i].value;
	memmove(&th->buffer[i], &th->buffer[i + 1], (size_t)(th->n - i - 1) * sizeof(th->buffer[0]));
	th->n--;
	reach(from, &next);
}

static bool may_update(const struct thread *th, int i, enum model model)
{
	for (int k = 0; k < i; k++)
		if (model != PSO || th->buffer[k].place == th->buffer[i].place)
			return false;
	return true;
}

static void perform(uint32_t from, const struct state *s, int t, enum model model)
{
	struct state next = *s;
	struct thread *th = &next.thread[t];
	const struct instruction *i = &code[t][th->pc];
	int place = i->a[0], found = s->mem[place], loaded = 0;

	for (int k = 0; k < th->n; k++)
		if (th->buffer[k].place == place)
			found = th->buffer[k].value;
	if ((is(i, "A") || is(i, "C")) && th->n)
		return;
	if (is(i, "L")) {
		loaded = found;
	} else if (is(i, "S") && model == SC) {
		next.mem[place] = (uint8_t)i->a[1];
	} else if (is(i, "S")) {
		if (th->n == BUFFER)
			die("a buffer is too small");
		th->buffer[th->n].place = (uint8_t)place;
		th->buffer[th->n++].value = (uint8_t)i->a[1];
	} else if (is(i, "A")) {
		next.mem[place] = (uint8_t)(found + 1);
		loaded = found;
	} else if (is(i, "C")) {
		loaded = found == i->a[1];
		if (loaded)
			next.mem[place] = (uint8_t)i->a[2];
	} else {
		die(i->name);
	}
	th->pc++;
	run_local(t, th, loaded);
	reach(from, &next);
}

static bool over(const struct state *s)
{
	for (int t = 0; t < threads; t++)
		if (s->thread[t].pc < length[t] || s->thread[t].n)
			return false;
	return true;
}

static void steps(uint32_t from, const struct state *s, enum model model)
{
	for (int t = 0; t < threads; t++) {
		const struct thread *th = &s->thread[t];

		for (int i = 0; i < th->n; i++)
			if (may_update(th, i, model))
				update(from, s, t, i);
		if (th->pc < length[t])
			perform(from, s, t, model);
	}
}

/* ---- the whole search ---- */

/* Counts the states from which the program can end. */
static uint32_t can_end(void)
{
	uint32_t *first = calloc(n_states + 1, sizeof(*first)), *before = calloc(n_edges + 1, sizeof(*before)), *work = calloc(n_states + 1, sizeof(*work));
	uint32_t n = 0, todo;
	bool *done = calloc(n_states + 1, 1);

	if (!first || !before || !work || !done)
		die("no memory");
	for (size_t e = 0; e < n_edges; e++)
		first[edge[e].to + 1]++;
	for (uint32_t i = 0; i < n_states; i++)
		first[i + 1] += first[i];
	for (size_t e = n_edges; e-- > 0;) /* from here on first[i + 1] counts down to the beginning of what leads to i */
		before[--first[edge[e].to + 1]] = edge[e].from;
	for (uint32_t i = 0; i < n_ends; i++) {
		done[ends[i]] = true;
		work[n++] = ends[i];
	}
	for (todo = 0; todo < n; todo++) {
		uint32_t i = work[todo], last = i + 1 < n_states ? first[i + 2] : (uint32_t)n_edges;

		for (uint32_t k = first[i + 1]; k < last; k++)
			if (!done[before[k]]) {
				done[before[k]] = true;
				work[n++] = before[k];
			}
	}
	free(first);
	free(before);
	free(work);
	free(done);
	return n;
}

static void explore(enum model model)
{
	struct state s = {0};
	bool status[STATUSES] = {0};

	n_states = 0;
	packed_used = n_edges = n_ends = 0;
	if (table)
		memset(table, 0, table_size * sizeof(*table));
	for (int t = 0; t < threads; t++)
		run_local(t, &s.thread[t], 0);
	number(&s);
	for (uint32_t i = 0; i < n_states; i++) {
		if (n_states > MOST_STATES) {
			puts("many");
			return;
		}
		unpack(&s, packed + start[i]);
		if (over(&s)) {
			ends[n_ends++] = i;
			status[1 + s.thread[0].seen + 5 * s.thread[1].seen + 25 * (threads > 2 ? s.thread[2].seen : 0)] = true;
		}
		steps(i, &s, model);
	}
	printf("%d", can_end() < n_states);
	for (int i = 0; i < STATUSES; i++)
		if (status[i])
			printf(" %d", i);
	puts("");
}

static bool read_program(void)
{
	if (scanf(" program %d", &threads) != 1)
		return false;
	if (threads < 1 || threads > THREADS)
		die("threads");
	for (int t = 0; t < threads; t++) {
		if (scanf(" thread %d", &length[t]) != 1 || length[t] < 0 || length[t] > INSTRUCTIONS)
			die("instructions");
		for (int i = 0; i < length[t]; i++) {
			struct instruction *x = &code[t][i];
			int n = 0;

			if (scanf(" %7s", x->name) != 1)
				die("an instruction");
			while (n < 3 && scanf("%*[ ]%d", &x->a[n]) == 1)
				n++;
		}
	}
	return true;
}

int main(int argc, char **argv)
{
	start = calloc(MOST_STATES + 1024, sizeof(*start));
	ends = calloc(MOST_STATES + 1024, sizeof(*ends));
	if (!start || !ends)
		die("no memory");
	while (read_program())
		for (int i = 1; i < argc; i++)
			explore(!strcmp(argv[i], "sc") ? SC : !strcmp(argv[i], "tso") ? TSO : PSO);
	return 0;
}
