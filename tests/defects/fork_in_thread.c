/* A thread forks, and the child reaches the end of that thread in one of three ways: it returns, it calls pthread_exit, or it does so while a thread
 * that the child created still runs. Natively the child ends with status 0, after its exit handlers. simul once let the child continue as if the
 * other threads were there, and recorded its steps among those of its parent. It then said that the program was not deterministic, or showed
 * failures that could not happen.
 * check: complete traces=2 leaves=nothing : --isolation fork -- 0
 * check: complete traces=2 : --isolation exec -- 1
 * check: incomplete traces=2 says=created_threads,_which : -- 2
 * long: incomplete traces=2 says=created_threads,_which : --isolation exec -- 2
 * long: complete traces=2 : --threads kernel -- 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char way;
static int ends[2];
static atomic_bool gone; /* in a child: the key's destructor has run */

static void say(const char *text)
{
	(void)!write(ends[1], text, strlen(text));
}

static void in_child(void)
{
	say("exit ");
}

static void destroyed(void *unused)
{
	say("key ");
	atomic_store(&gone, true);
}

static void *longer(void *unused)
{
	while (!atomic_load(&gone))
		usleep(1000);
	say("longer ");
	return NULL;
}

static void *forks(void *unused)
{
	pthread_key_t key;
	pthread_t t;
	int status;
	pid_t child;

	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	child = fork();
	if (child) {
		assert(waitpid(child, &status, 0) == child && status == 0);
		return NULL;
	}
	atexit(in_child);
	pthread_key_create(&key, destroyed);
	pthread_setspecific(key, &key);
	if (way == '2')
		pthread_create(&t, NULL, longer, NULL);
	if (way == '1')
		pthread_exit(NULL);
	return NULL;
}

static void *other(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	char text[64] = "";
	pthread_t a, b;

	way = argv[1][0];
	assert(!pipe(ends));
	pthread_create(&a, NULL, forks, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	close(ends[1]);
	for (size_t n = 0; read(ends[0], text + n, 1) == 1; n++)
		;
	assert(!strcmp(text, way == '2' ? "key longer exit " : "key exit "));
	return 0;
}
