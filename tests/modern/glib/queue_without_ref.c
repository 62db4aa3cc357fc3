// The main thread drops the last reference of the queue without waiting for the logger, which has none of its own: it pops from a freed queue.
// verdict: bug
#include <glib.h>

static gpointer log_lines(gpointer data)
{
	GAsyncQueue *queue = data;
	int lines = 0;
	for (char *line; (line = g_async_queue_try_pop(queue)); lines++)
		g_free(line);
	return GINT_TO_POINTER(lines);
}

int main(void)
{
	GAsyncQueue *queue = g_async_queue_new_full(g_free);
	g_async_queue_push(queue, g_strdup("started"));
	GThread *logger = g_thread_new("logger", log_lines, queue);
	g_async_queue_push(queue, g_strdup("stopped"));
	g_async_queue_unref(queue);
	g_assert_cmpint(GPOINTER_TO_INT(g_thread_join(logger)), <=, 2);
	return 0;
}
