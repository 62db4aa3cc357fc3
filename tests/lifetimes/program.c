/*
 * Runs a random program of tests/lifetimes/lifetimes.py. Each argument is a thread; the first one is main's, which joins the others at the end. Operations, each a
 * letter and a digit: the object.
 *
 *   l u t   lock, unlock, trylock (and unlock) the mutex of block N
 *   p w     post, wait for semaphore N, which is never freed
 *   q g     post, getvalue of the semaphore of block N
 *   c       lock the global mutex; signal the condition variable of block N; unlock
 *   r       read lock and unlock the read-write lock of block N
 *   s       spin lock and unlock
 *   f       free block N
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct block {
	pthread_mutex_t m;
	sem_t s;
	pthread_cond_t c;
	pthread_rwlock_t r;
	pthread_spinlock_t spin;
};

static struct block *block[10];
static sem_t sem[10];
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
	int value;

	for (const char *p = arg; *p; p += 2) {
		int n = p[1] - '0';
		struct block *b = block[n];

		switch (*p) {
		case 'l': pthread_mutex_lock(&b->m); break;
		case 'u': pthread_mutex_unlock(&b->m); break;
		case 't':
			if (!pthread_mutex_trylock(&b->m))
				pthread_mutex_unlock(&b->m);
			break;
		case 'p': sem_post(&sem[n]); break;
		case 'w': sem_wait(&sem[n]); break;
		case 'q': sem_post(&b->s); break;
		case 'g': sem_getvalue(&b->s, &value); break;
		case 'c':
			pthread_mutex_lock(&all);
			pthread_cond_signal(&b->c);
			pthread_mutex_unlock(&all);
			break;
		case 'r':
			pthread_rwlock_rdlock(&b->r);
			pthread_rwlock_unlock(&b->r);
			break;
		case 's':
			pthread_spin_lock(&b->spin);
			pthread_spin_unlock(&b->spin);
			break;
		case 'f': free(b); break;
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[8];

	for (int i = 0; i < 10; i++) {
		block[i] = malloc(sizeof *block[i]);
		pthread_mutex_init(&block[i]->m, 0);
		sem_init(&block[i]->s, 0, 0);
		pthread_cond_init(&block[i]->c, 0);
		pthread_rwlock_init(&block[i]->r, 0);
		pthread_spin_init(&block[i]->spin, 0);
		sem_init(&sem[i], 0, 0);
	}
	for (int i = 2; i < argc; i++)
		pthread_create(&t[i - 2], 0, run, argv[i]);
	run(argv[1]);
	for (int i = 2; i < argc; i++)
		pthread_join(t[i - 2], 0);
	return 0;
}
