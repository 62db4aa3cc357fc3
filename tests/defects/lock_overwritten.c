/* A thread overwrites the lock that it holds: a mutex, a recursive mutex, the mutex of a condition wait, or a read-write lock. Natively the program
 * crashes, hangs or continues as if nothing had happened. simul once said `complete`. With 9 nothing is overwritten.
 * check: bug kind=misuse replays=5 says=wrote_over_a_mutex : -- 0 0x41
 * check: bug kind=misuse says=wrote_over_a_mutex : -- 0 0xff
 * check: bug kind=misuse : -- 0 0
 * check: bug kind=misuse says=wrote_over_a_mutex : -- 1 0x41
 * check: bug kind=misuse says=wrote_over_a_mutex : --model tso -- 2 0x41
 * check: bug kind=misuse says=wrote_over_a_read-write_lock : -- 3 0x41
 * check: bug kind=misuse says=wrote_over_a_read-write_lock : -- 3 0xff
 * check: complete : -- 9 0
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int which, byte, ready;

static void *worker(void *arg)
{
	pthread_mutex_t *m = which == 1 ? &recursive : &plain;

	if (which == 3 || which == 9) {
		pthread_rwlock_wrlock(&rw);
		if (which == 3)
			memset(&rw, byte, sizeof(rw));
		pthread_rwlock_unlock(&rw);
	}
	pthread_mutex_lock(m);
	if (which == 2 || which == 9) {
		ready++;
		pthread_cond_broadcast(&changed);
		while (ready < 2)
			pthread_cond_wait(&changed, m);
	}
	if (which < 3)
		memset(m, byte, sizeof(*m));
	pthread_mutex_unlock(m);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_mutexattr_t attr;
	pthread_t t[2];

	which = atoi(argv[1]);
	byte = (int)strtol(argv[2], NULL, 0);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive, &attr);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
