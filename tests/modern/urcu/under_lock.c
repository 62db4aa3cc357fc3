// The updater calls synchronize_rcu while it holds a mutex that a reader locks in its read-side critical section.
// verdict: bug
#include <pthread.h>
#include <urcu.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void *look(void *unused)
{
	rcu_register_thread();
	rcu_read_lock();
	pthread_mutex_lock(&log_lock);
	lines++;
	pthread_mutex_unlock(&log_lock);
	rcu_read_unlock();
	rcu_unregister_thread();
	return unused;
}

int main(void)
{
	pthread_t reader;
	pthread_create(&reader, NULL, look, NULL);
	pthread_mutex_lock(&log_lock);
	synchronize_rcu();
	lines++;
	pthread_mutex_unlock(&log_lock);
	pthread_join(reader, NULL);
	return 0;
}
