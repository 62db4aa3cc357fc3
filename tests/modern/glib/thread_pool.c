// A thread pool adds up the numbers that are pushed to it; freeing the pool waits for the rest.
// verdict: complete
#include <glib.h>

static gint sum;

static void work(gpointer item, gpointer unused)
{
	(void)unused;
	g_atomic_int_add(&sum, GPOINTER_TO_INT(item));
}

int main(void)
{
	GThreadPool *pool = g_thread_pool_new(work, NULL, 2, TRUE, NULL);
	for (int n = 1; n <= 2; n++)
		g_thread_pool_push(pool, GINT_TO_POINTER(n), NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
	g_assert_cmpint(g_atomic_int_get(&sum), ==, 3);
	return 0;
}
