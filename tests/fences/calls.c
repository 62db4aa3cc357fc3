/*
 * Runs a random program of tests/fences/calls.py: two threads, whose operations are the letters of the arguments. Exits with a number that encodes what
 * the loads and the calls returned: one bit each, those of the first thread first.
 *
 *   X Y     store 1 to x, y               x y    load x, y: a bit
 *   s b     signal, broadcast a condition for which no thread waits
 *   t p w   trywait (a bit: it failed), post, and wait-if-possible (sem_timedwait with a time that is over: a bit) of a common semaphore
 *   g       getvalue of a semaphore of its own       o   pthread_once, done before
 *   r       lock and unlock a recursive mutex that the thread holds
 *   e       unlock an error-checking mutex that it does not hold
 *   d       lock an error-checking mutex that it holds
 *   m k     lock and unlock, trylock (a bit: it failed) and unlock the common mutex
 *   R W     tryrdlock, trywrlock (a bit: it failed) and unlock the common read-write lock
 *   l       read lock and unlock it
 *   i       init and destroy a mutex, a semaphore, a read-write lock of its own
 *   c       pthread_testcancel
 *   v       membarrier
 *   f       mfence
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile int x, y;
static const char *code[2];
static int bits[2], n_bits[2];
static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER, recursive[2], held[2], free_one[2];
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem, own[2];
static const struct timespec past;

static void nothing(void) {}

static void bit(int i, int value)
{
	bits[i] |= value << n_bits[i]++;
}

static void run(int i)
{
	pthread_mutex_t m;
	pthread_rwlock_t r;
	sem_t s;
	int v;

	for (const char *p = code[i]; *p; p++)
		switch (*p) {
		case 'X': x = 1; break;
		case 'Y': y = 1; break;
		case 'x': bit(i, x); break;
		case 'y': bit(i, y); break;
		case 's': pthread_cond_signal(&cond); break;
		case 'b': pthread_cond_broadcast(&cond); break;
		case 't': bit(i, sem_trywait(&sem) != 0); break;
		case 'p': sem_post(&sem); break;
		case 'w': bit(i, sem_timedwait(&sem, &past) != 0); break;
		case 'g': sem_getvalue(&own[i], &v); break;
		case 'o': pthread_once(&once, nothing); break;
		case 'r': pthread_mutex_lock(&recursive[i]); pthread_mutex_unlock(&recursive[i]); break;
		case 'e': pthread_mutex_unlock(&free_one[i]); break;
		case 'd': pthread_mutex_lock(&held[i]); break;
		case 'm': pthread_mutex_lock(&common); pthread_mutex_unlock(&common); break;
		case 'k':
			v = pthread_mutex_trylock(&common);
			bit(i, v != 0);
			if (!v)
				pthread_mutex_unlock(&common);
			break;
		case 'R':
			v = pthread_rwlock_tryrdlock(&rw);
			bit(i, v != 0);
			if (!v)
				pthread_rwlock_unlock(&rw);
			break;
		case 'W':
			v = pthread_rwlock_trywrlock(&rw);
			bit(i, v != 0);
			if (!v)
				pthread_rwlock_unlock(&rw);
			break;
		case 'l': pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); break;
		case 'i':
			pthread_mutex_init(&m, 0);
			pthread_rwlock_init(&r, 0);
			sem_init(&s, 0, 0);
			pthread_mutex_destroy(&m);
			pthread_rwlock_destroy(&r);
			sem_destroy(&s);
			break;
		case 'c': pthread_testcancel(); break;
		case 'v': syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0); break;
		case 'f': __asm__ volatile("mfence" ::: "memory"); break;
		}
}

static void *second(void *arg)
{
	pthread_mutex_lock(&recursive[1]);
	pthread_mutex_lock(&held[1]);
	run(1);
	pthread_mutex_unlock(&held[1]);
	pthread_mutex_unlock(&recursive[1]);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_mutexattr_t a, e;
	pthread_t t;

	code[0] = argv[1];
	code[1] = argv[2];
	pthread_mutexattr_init(&a);
	pthread_mutexattr_init(&e);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutexattr_settype(&e, PTHREAD_MUTEX_ERRORCHECK);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_init(&recursive[i], &a);
		pthread_mutex_init(&held[i], &e);
		pthread_mutex_init(&free_one[i], &e);
		sem_init(&own[i], 0, 0);
	}
	sem_init(&sem, 0, argc > 3 ? atoi(argv[3]) : 0);
	pthread_once(&once, nothing);
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	pthread_mutex_lock(&recursive[0]);
	pthread_mutex_lock(&held[0]);
	pthread_create(&t, 0, second, 0);
	run(0);
	pthread_mutex_unlock(&held[0]);
	pthread_mutex_unlock(&recursive[0]);
	pthread_join(t, 0);
	return bits[0] | bits[1] << n_bits[0];
}
