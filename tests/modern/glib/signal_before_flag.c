// The condition is signalled before the flag is set, each under the lock: the waiter sleeps on.
// verdict: bug
#include <glib.h>

static GMutex lock;
static GCond done;
static gboolean finished;

static gpointer job(gpointer unused)
{
	g_mutex_lock(&lock);
	g_cond_signal(&done);
	g_mutex_unlock(&lock);
	g_mutex_lock(&lock);
	finished = TRUE;
	g_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	GThread *thread = g_thread_new("job", job, NULL);
	g_mutex_lock(&lock);
	while (!finished)
		g_cond_wait(&done, &lock);
	g_mutex_unlock(&lock);
	g_thread_join(thread);
	return 0;
}
