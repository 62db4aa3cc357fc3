/* Wakeup trees as ordered trees of choices: see wakeup.h. */
#include "explore/tree/wakeup.h"

uint64_t object_name(struct core *s, object_id o)
{
	return o && o < s->names.n ? ((uint64_t *)vec_data(s, &s->names))[o] : 0;
}

static object_id id_of(struct core *s, uint64_t name)
{
	const uint64_t *n = vec_data(s, &s->names);
	for (object_id o = s->names.n; name && o-- > 1;)
		if (n[o] == name)
			return o;
	return name ? OBJECT_ELSEWHERE : 0;
}

void objects_named(struct core *s, struct event *e, const uint64_t name[2])
{
	for (unsigned k = 0; k < 2; k++)
		if (!object_is_memory(e->obj[k]))
			e->obj[k] = e->obj[k] && object_name(s, e->obj[k]) == name[k] ? e->obj[k] : id_of(s, name[k]);
}

struct event wakeup_event(struct core *s, aref r)
{
	const struct wakeup *w = wakeup_at(s, r);
	struct event e = w->ev;
	objects_named(s, &e, w->name);
	return e;
}

void wakeup_set(struct core *s, struct wakeup *w, const struct event *ev, const struct forward *f)
{
	w->ev = *ev;
	w->forward.any = 0;
	w->guess = 0;
	if (f && f->any)
		w->forward = *f;
	for (unsigned k = 0; k < 2; k++)
		w->name[k] = object_name(s, ev->obj[k]);
}

static uint64_t bytes_of_node(const struct core *s)
{
	return s->in_common ? sizeof(struct branch) : sizeof(struct wakeup);
}

struct foot *wakeup_add_feet(struct core *s, struct branch *b, uint32_t n)
{
	b->feet = n ? tree_alloc(s, n * sizeof(struct foot)) : 0;
	b->foot_n = b->feet ? n : 0;
	return arena_ptr(tree_arena_of(s), b->feet);
}

aref wakeup_append(struct core *s, aref *head, const struct event *ev, const struct forward *f)
{
	aref r = tree_alloc(s, bytes_of_node(s));
	if (!r)
		return 0;
	wakeup_set(s, wakeup_at(s, r), ev, f);
	while (*head)
		head = &wakeup_at(s, *head)->next;
	*head = r;
	return r;
}

struct event wakeup_take_first(struct core *s, aref *head, aref *child)
{
	struct wakeup *w = wakeup_at(s, *head);
	struct event ev = w->ev;
	*child = w->child;
	aref next = w->next;
	if (s->in_common) {
		const struct branch *b = (const struct branch *)w;
		arena_free(tree_arena_of(s), b->feet, b->foot_n * sizeof(struct foot));
	}
	arena_free(tree_arena_of(s), *head, bytes_of_node(s));
	*head = next;
	return ev;
}

/* Depth first without recursion, since a branch may be as long as an execution: children are put in front of the rest of the list. */
void wakeup_free(struct core *s, aref list)
{
	while (list) {
		aref child;
		wakeup_take_first(s, &list, &child);
		if (!child)
			continue;
		aref last = child;
		while (wakeup_at(s, last)->next)
			last = wakeup_at(s, last)->next;
		wakeup_at(s, last)->next = list;
		list = child;
	}
}

uint32_t wakeup_count(struct core *s, aref list)
{
	uint32_t n = 0;
	for (; list; list = wakeup_at(s, list)->next)
		n++;
	return n;
}

aref wakeup_find(struct core *s, aref list, thread_id t, unsigned alt)
{
	for (; list; list = wakeup_at(s, list)->next)
		if (wakeup_at(s, list)->ev.thread == t && wakeup_at(s, list)->ev.alt == alt)
			return list;
	return 0;
}
