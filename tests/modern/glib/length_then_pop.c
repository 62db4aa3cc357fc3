// Two workers look at the length of a queue before they pop: both see the last item, and one waits forever.
// verdict: bug
#include <glib.h>

static gpointer work(gpointer queue)
{
	int sum = 0;
	while (g_async_queue_length(queue) > 0)
		sum += GPOINTER_TO_INT(g_async_queue_pop(queue));
	return GINT_TO_POINTER(sum);
}

int main(void)
{
	GAsyncQueue *queue = g_async_queue_new();
	for (int n = 1; n <= 2; n++)
		g_async_queue_push(queue, GINT_TO_POINTER(n));
	GThread *other = g_thread_new("worker", work, queue);
	int mine = GPOINTER_TO_INT(work(queue));
	int theirs = GPOINTER_TO_INT(g_thread_join(other));
	g_assert_cmpint(mine + theirs, ==, 3);
	g_async_queue_unref(queue);
	return 0;
}
