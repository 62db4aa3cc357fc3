// A producer pushes into an asynchronous queue, and the consumer gets the items in order.
// verdict: complete
#include <glib.h>

static gpointer produce(gpointer queue)
{
	for (int n = 1; n <= 3; n++)
		g_async_queue_push(queue, GINT_TO_POINTER(n));
	return NULL;
}

int main(void)
{
	GAsyncQueue *queue = g_async_queue_new();
	GThread *producer = g_thread_new("producer", produce, queue);
	for (int n = 1; n <= 3; n++)
		g_assert_cmpint(GPOINTER_TO_INT(g_async_queue_pop(queue)), ==, n);
	g_thread_join(producer);
	g_async_queue_unref(queue);
	return 0;
}
