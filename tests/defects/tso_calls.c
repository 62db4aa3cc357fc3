/*
 * Store buffering with a call of libc between the store and the load. Calls that execute no locked instruction leave the store in the buffer: natively
 * both loads read 0. simul emptied the buffer at each call and said "complete". The first argument is the call (see `side`); with a number of rounds as
 * second argument a native run counts how often both loads read 0.
 *
 * check: bug kind=exit says=exited_with_status_7 : --model tso -- 1
 * check: bug kind=exit says=exited_with_status_7 : --model tso -- 2
 * long: bug kind=exit says=exited_with_status_7 : --model tso -- 3
 * long: bug kind=exit says=exited_with_status_7 : --model tso -- 4
 * long: bug kind=exit says=exited_with_status_7 : --model tso -- 6
 * check: bug kind=exit says=exited_with_status_7 : --model tso -- 7
 * check: bug kind=exit says=exited_with_status_7 : --model tso -- 8
 * long: bug kind=exit says=exited_with_status_7 : --model tso -- 9
 * long: bug kind=exit says=exited_with_status_7 : --model tso -- 10
 * check: complete says=except_for_the_time_that : --model tso -- 5
 * check: complete never=except : --model tso -- 11
 * long: complete never=except : --model tso -- 12
 * check: complete never=except : --model tso -- 13
 * long: complete never=except : --model tso -- 14
 * long: bug kind=exit says=exited_with_status_7 : --model pso -- 1
 * long: complete : -- 1
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int x, y, go __attribute__((aligned(64)));
static int r[2] __attribute__((aligned(64))), k, rounds = 1;
static sem_t s[2], full[2];
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, common = PTHREAD_MUTEX_INITIALIZER, again[2], own[2];
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_cond_t c[2];
static pthread_spinlock_t sp[2];
static pthread_barrier_t bar;

static void nothing(void) {}

static void side(int i, volatile int *mine, volatile int *other)
{
	int v;
	if (k == 5)
		pthread_spin_lock(&sp[i]);
	*mine = 1;
	switch (k) {
	case 1: pthread_cond_signal(&c[i]); break; /* no thread waits */
	case 2: sem_trywait(&s[i]); break;         /* fails */
	case 3: sem_getvalue(&s[i], &v); break;
	case 4: pthread_once(&once, nothing); break; /* done before */
	case 5: pthread_spin_unlock(&sp[i]); break;  /* a plain store */
	case 6: pthread_testcancel(); break;
	case 7: pthread_mutex_trylock(&held); break; /* fails */
	case 8: pthread_mutex_lock(&again[i]); break; /* recursive */
	case 9: pthread_rwlock_tryrdlock(&rw); break; /* fails */
	case 10: pthread_mutex_init(&own[i], 0); break;
	case 11: pthread_mutex_lock(&common); pthread_mutex_unlock(&common); break; /* a fence */
	case 12: sem_post(&s[i]); break; /* a fence */
	case 13: syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0); break;
	case 14: sem_trywait(&full[i]); break; /* succeeds: a fence */
	}
	r[i] = *other;
}

static void meet(int n)
{
	if (rounds > 1) {
		pthread_barrier_wait(&bar);
		__atomic_add_fetch(&go, 1, __ATOMIC_SEQ_CST);
		while (go < 2 * n + 2)
			;
	}
}

static void *second(void *u)
{
	pthread_mutex_lock(&again[1]);
	for (int n = 0; n < rounds; n++) {
		meet(n);
		side(1, &y, &x);
		if (rounds > 1)
			pthread_barrier_wait(&bar);
	}
	while (!pthread_mutex_unlock(&again[1]))
		;
	return u;
}

int main(int argc, char **argv)
{
	k = argc > 1 ? atoi(argv[1]) : 1;
	rounds = argc > 2 ? atoi(argv[2]) : 1;
	pthread_barrier_init(&bar, 0, 2);
	pthread_once(&once, nothing);
	pthread_mutexattr_t recursive;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	pthread_mutex_lock(&held);
	pthread_rwlock_wrlock(&rw);
	for (int i = 0; i < 2; i++) {
		sem_init(&s[i], 0, 0);
		sem_init(&full[i], 0, 1);
		pthread_mutex_init(&again[i], &recursive);
		pthread_cond_init(&c[i], 0);
		pthread_spin_init(&sp[i], 0);
	}
	pthread_t t;
	pthread_mutex_lock(&again[0]);
	pthread_create(&t, 0, second, 0);
	int weak = 0;
	for (int n = 0; n < rounds; n++) {
		meet(n);
		side(0, &x, &y);
		if (rounds > 1) {
			pthread_barrier_wait(&bar);
			weak += !r[0] && !r[1];
			x = y = 0;
		}
	}
	pthread_join(t, 0);
	pthread_mutex_unlock(&held);
	pthread_rwlock_unlock(&rw);
	while (!pthread_mutex_unlock(&again[0]))
		;
	if (rounds > 1)
		return printf("both loads read 0 in %d of %d rounds\n", weak, rounds) < 0;
	return !r[0] && !r[1] ? 7 : 0;
}
