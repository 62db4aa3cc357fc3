/*
 * Several workers on one search over execution graphs.
 *
 * What is left of a search can be divided (graph_split.c), and each part explored alone: what is below a graph depends
 * on that graph only. A worker that sees others wait divides its part, and leaves one half in the common part of the
 * memory, from which another worker takes it.
 *
 * Parts name places by number, and calls by the chain of their object. So a part brings along what its worker knew of
 * both. When a worker finds out more about objects, the search begins again (graphs.c) for all: the common part counts
 * how often (`round`). A worker that has a part of an earlier round gives it up, and waits for one of the new round,
 * which replaces what it knows of objects. Each round knows what the one before began with, so rounds come to an end.
 *
 * When one worker goes on with samples, all do.
 */
#include "explore/graph/graphs_sharing.h"

#include "explore/graph/graphs_internal.h"
#include "explore/shared/work_sharing_internal.h"

#define MOST_PAUSE 256u /* executions between two attempts to divide a part that has nothing to give */

/* A part that no worker has. Behind it lie the objects, the places, the words of futex calls, the initial values of the
   places, and the packed search. */
struct graphs_part {
	aref next;
	uint32_t bytes; /* of all */
	uint32_t objects, places, words;
	uint32_t pad_;
};

static struct common_graphs *common_graphs(struct search *s)
{
	return &common_of(s)->graphs;
}

static struct graphs_part *part_at(struct search *s, aref r)
{
	return arena_ptr(tree_arena_of(&s->core), r);
}

static struct graphs_object *objects_of(struct graphs_part *p)
{
	return (struct graphs_object *)(p + 1);
}

static struct graphs_place *places_of(struct graphs_part *p)
{
	return (struct graphs_place *)(objects_of(p) + p->objects);
}

static struct graphs_word *words_of(struct graphs_part *p)
{
	return (struct graphs_word *)(places_of(p) + p->places);
}

static uint64_t *values_of(struct graphs_part *p)
{
	return (uint64_t *)(words_of(p) + p->words);
}

static void *packed_in(struct graphs_part *p)
{
	return values_of(p) + p->places;
}

/* Leaves what the graph has for another worker. The common part is locked. */
static void put_part(struct search *s)
{
	struct common_graphs *c = common_graphs(s);
	struct graph *g = graphs_graph(s);
	uint32_t objects = s->graphs.objects.n, places = s->graphs.places.n, words = s->graphs.words.n;
	size_t bytes = sizeof(struct graphs_part) + objects * sizeof(struct graphs_object) +
		       places * (sizeof(struct graphs_place) + sizeof(uint64_t)) + words * sizeof(struct graphs_word) +
		       graph_packed_bytes(g);
	aref r = tree_alloc(&s->core, bytes);
	if (!r)
		return;
	struct graphs_part *p = part_at(s, r);
	*p = (struct graphs_part){.next = c->parts, .bytes = (uint32_t)bytes};
	p->objects = objects;
	p->places = places;
	p->words = words;
	memcpy(words_of(p), vec_data(&s->core, &s->graphs.words), words * sizeof(struct graphs_word));
	memcpy(objects_of(p), vec_data(&s->core, &s->graphs.objects), objects * sizeof(struct graphs_object));
	memcpy(places_of(p), vec_data(&s->core, &s->graphs.places), places * sizeof(struct graphs_place));
	for (uint32_t i = 0; i < places; i++) {
		values_of(p)[i] = rc11_place_at(graph_model(g), places_of(p)[i].id)->value;
		places_of(p)[i].used = 0;
	}
	graph_pack(g, packed_in(p));
	__atomic_store_n(&c->parts, r, __ATOMIC_RELAXED);
	s->share.news = 1;
}

/* Puts part p in the place of what this worker has. */
static bool set_part(struct search *s, struct graphs_part *p)
{
	struct vec *objects = &s->graphs.objects, *places = &s->graphs.places, *words = &s->graphs.words;
	if (!graphs_fresh(s) || !vec_reserve(&s->core, objects, p->objects, sizeof(struct graphs_object)) ||
		!vec_reserve(&s->core, places, p->places, sizeof(struct graphs_place)) ||
		!vec_reserve(&s->core, words, p->words, sizeof(struct graphs_word)))
		return false;
	memcpy(vec_data(&s->core, words), words_of(p), p->words * sizeof(struct graphs_word));
	words->n = p->words;
	memcpy(vec_data(&s->core, objects), objects_of(p), p->objects * sizeof(struct graphs_object));
	memcpy(vec_data(&s->core, places), places_of(p), p->places * sizeof(struct graphs_place));
	objects->n = p->objects;
	places->n = p->places;
	for (uint32_t i = 0; i < p->places; i++)
		rc11_place(graph_model(graphs_graph(s)), values_of(p)[i]);
	return graph_unpack(graphs_graph(s), packed_in(p));
}

static void free_part(struct search *s, aref r)
{
	struct common_graphs *c = common_graphs(s);
	struct graphs_part *p = part_at(s, r);
	__atomic_store_n(&c->parts, p->next, __ATOMIC_RELAXED);
	arena_free(tree_arena_of(&s->core), r, p->bytes);
}

/* ---- what all workers must know ---- */

void graphs_restart(struct search *s)
{
	struct common_graphs *c = common_graphs(s);
	share_lock(s);
	if (s->graphs.round == c->round) { /* else graphs_follow gives up what this worker has */
		while (c->parts)
			free_part(s, c->parts);
		s->graphs.round = ++c->round;
		c->behind = c->members - 1;
		c->left = s->graphs.holding = 1; /* from the first execution on */
		s->share.news = 1;
	}
	share_unlock(s);
}

/* Gives up what this worker has, for the new round. */
static void enter_round(struct search *s)
{
	struct common_graphs *c = common_graphs(s);
	share_lock(s);
	s->graphs.round = c->round;
	s->graphs.holding = 0;
	s->share.news |= !--c->behind;
	share_unlock(s);
	graphs_begin_again(s);
}

void graphs_follow(struct search *s)
{
	struct common_graphs *c = common_graphs(s);
	uint32_t why = __atomic_load_n(&c->why, __ATOMIC_RELAXED);
	if (why)
		graphs_leave(s, why);
	if (s->core.stats.graphs_left) {
		if (!why) {
			share_lock(s);
			__atomic_store_n(&c->why, s->core.stats.graphs_left, __ATOMIC_RELAXED);
			s->share.news = 1;
			share_unlock(s);
		}
		share_set_waiting(s, false);
	} else if (__atomic_load_n(&c->round, __ATOMIC_RELAXED) != s->graphs.round) {
		enter_round(s);
	}
}

/* ---- giving and taking ---- */

/* Divides what this worker has if others wait for work, and there is none. */
static void offer(struct search *s)
{
	struct common_graphs *c = common_graphs(s);
	struct graph *g = graphs_graph(s);
	if (!__atomic_load_n(&common_of(s)->idle, __ATOMIC_RELAXED) || __atomic_load_n(&c->parts, __ATOMIC_RELAXED) ||
		s->graphs.execution - s->graphs.asked < s->graphs.pause)
		return;
	uint32_t words = (uint32_t)(graph_packed_bytes(g) / 8 + 1);
	if (!vec_reserve(&s->core, &s->graphs.rest, words, 8))
		return;
	void *rest = vec_data(&s->core, &s->graphs.rest);
	graph_pack(g, rest);
	bool divided = graph_split(g, rest);
	if (divided) {
		share_lock(s);
		put_part(s);
		c->left++;
		share_unlock(s);
	}
	graph_unpack(g, rest);
	s->graphs.asked = s->graphs.execution;
	s->graphs.pause = divided ? 0 : 2 * s->graphs.pause + 1;
	if (s->graphs.pause > MOST_PAUSE)
		s->graphs.pause = MOST_PAUSE;
}

/* Takes another part after this worker's own is done. Returns false when there is none. */
static bool take(struct search *s)
{
	struct common_graphs *c = common_graphs(s);
	share_lock(s);
	c->left -= s->graphs.holding;
	s->graphs.holding = 0;
	aref r = s->graphs.round == c->round ? c->parts : 0;
	if (r) {
		s->graphs.holding = set_part(s, part_at(s, r));
		free_part(s, r);
		if (!s->graphs.holding)
			s->core.failed = s->core.stats.out_of_memory = 1;
	}
	bool over = (!c->left && !c->behind) || explore_common_over(common_of(s)) || s->core.failed;
	share_set_waiting(s, !s->graphs.holding && !over);
	share_unlock(s);
	if (over)
		share_end(s);
	return s->graphs.holding && !s->core.failed;
}

bool graphs_work(struct search *s)
{
	if (!s->graphs.holding || graphs_graph(s)->stats.finished)
		return take(s);
	offer(s);
	return true;
}

/* ---- joining ---- */

void graphs_join(struct search *s, bool owns_root)
{
	struct common_graphs *c = common_graphs(s);
	share_lock(s);
	c->members++;
	s->graphs.round = c->round;
	s->graphs.holding = owns_root;
	c->left += owns_root;
	share_set_waiting(s, !owns_root);
	share_unlock(s);
}

void graphs_hand_back(struct search *s)
{
	struct common_graphs *c = common_graphs(s);
	share_set_waiting(s, false);
	graphs_follow(s);
	share_lock(s);
	c->members--;
	bool begun = s->graphs.graph || graphs_fresh(s), done = begun && graphs_graph(s)->stats.finished;
	if (s->graphs.holding && done)
		c->left--;
	else if (s->graphs.holding && begun)
		put_part(s);
	s->graphs.holding = 0;
	s->share.news = 1;
	share_unlock(s);
}
