// g_thread_pool_free drops what is still in the queue: a task that the worker has not begun is lost.
// verdict: bug
#include <glib.h>

static gint saved;

static void save(gpointer document, gpointer unused)
{
	(void)document;
	(void)unused;
	g_atomic_int_inc(&saved);
}

int main(void)
{
	GThreadPool *pool = g_thread_pool_new(save, NULL, 1, TRUE, NULL);
	g_thread_pool_push(pool, "letter", NULL);
	g_thread_pool_push(pool, "budget", NULL);
	g_thread_pool_free(pool, TRUE, TRUE);
	g_assert_cmpint(g_atomic_int_get(&saved), ==, 2);
	return 0;
}
