/* The constructor of a library starts a thread that works for others, as OpenBLAS's does. It runs before simul's
 * constructor. The processes of the executions did not have that thread, so simul reported a deadlock of threads
 * that wait for it, or "complete".
 * build: gcc -g -pthread -DLIBRARY -shared -fPIC -o @DIR@/libworker.so @SRC@ && gcc -g -pthread -o @OUT@ @SRC@ -L@DIR@ -lworker -Wl,-rpath,@DIR@
 * check: refused says=a_constructor_of_a_library_starts_a_thread : --
 */
#include <pthread.h>
#include <stddef.h>

void work(void);

#ifdef LIBRARY
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int wanted, done;

static void *serve(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!wanted)
		pthread_cond_wait(&changed, &lock);
	done = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return unused;
}

__attribute__((constructor)) static void begin(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, serve, NULL);
	pthread_detach(thread);
}

void work(void)
{
	pthread_mutex_lock(&lock);
	wanted = 1;
	pthread_cond_broadcast(&changed);
	while (!done)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}
#else
static void *use(void *unused)
{
	work();
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, use, NULL);
	work();
	pthread_join(thread, NULL);
	return 0;
}
#endif
