// Moving an item locks the source list and then the target: two moves in opposite directions may each hold one lock and wait for the other.
// verdict: bug
#include <glib.h>

struct list {
	GMutex lock;
	GQueue items;
};

struct move {
	struct list *from, *to;
};

static gpointer move_one(gpointer data)
{
	struct move *m = data;
	g_mutex_lock(&m->from->lock);
	g_mutex_lock(&m->to->lock);
	gpointer item = g_queue_pop_head(&m->from->items);
	if (item)
		g_queue_push_tail(&m->to->items, item);
	g_mutex_unlock(&m->to->lock);
	g_mutex_unlock(&m->from->lock);
	return NULL;
}

int main(void)
{
	static struct list open, done;
	g_queue_push_tail(&open.items, "write");
	g_queue_push_tail(&done.items, "plan");
	struct move finish = {&open, &done}, reopen = {&done, &open};
	GThread *other = g_thread_new("reopen", move_one, &reopen);
	move_one(&finish);
	g_thread_join(other);
	g_assert_cmpuint(open.items.length + done.items.length, ==, 2);
	g_queue_clear(&open.items);
	g_queue_clear(&done.items);
	return 0;
}
