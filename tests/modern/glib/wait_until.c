// A caller waits for an answer until a deadline; it gets the answer, or gives up, and then the worker does nothing.
// verdict: complete
#include <glib.h>

struct request {
	GMutex lock;
	GCond answered;
	gboolean abandoned;
	char *answer;
};

static gpointer serve(gpointer data)
{
	struct request *r = data;
	gboolean useful;
	g_mutex_lock(&r->lock);
	useful = !r->abandoned;
	if (useful) {
		r->answer = g_strdup("42");
		g_cond_signal(&r->answered);
	}
	g_mutex_unlock(&r->lock);
	return GINT_TO_POINTER(useful);
}

int main(void)
{
	static struct request r;
	GThread *server = g_thread_new("server", serve, &r);
	gint64 deadline = g_get_monotonic_time() + 20 * G_TIME_SPAN_MILLISECOND;
	g_mutex_lock(&r.lock);
	while (!r.answer && !r.abandoned)
		r.abandoned = !g_cond_wait_until(&r.answered, &r.lock, deadline);
	gboolean got = r.answer != NULL;
	g_mutex_unlock(&r.lock);
	g_assert_cmpint(GPOINTER_TO_INT(g_thread_join(server)), ==, got);
	g_free(r.answer);
	return 0;
}
