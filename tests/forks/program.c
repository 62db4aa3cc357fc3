/*
 * A program made of its arguments: one string for each thread, a pair of characters for each step. forks.py has the meaning of the steps, and
 * an oracle for what the children may see. The exit status holds what they saw: 4 bits for each fork.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int var[2], seen[2];
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem[2];
static char **thread_steps;

static int look(char what, int n)
{
	int copy[2];
	switch (what) {
	case 'R':
		return __atomic_load_n(&var[n], __ATOMIC_RELAXED);
	case 'M':
		memcpy(copy, var, sizeof(copy));
		return copy[0] | copy[1] << 2;
	case 'T':
		return pthread_mutex_trylock(&mutex[n]) != 0;
	case 'W':
		return pthread_rwlock_tryrdlock(&rwlock) != 0;
	case 'G':
		sem_getvalue(&sem[n], &copy[0]);
		return copy[0];
	}
	return 0;
}

/* The first fork of the program's text is number 0. */
static void start_child(char what, int n, int number)
{
	int status;
	pid_t pid = fork();
	if (!pid)
		_exit(look(what, n));
	waitpid(pid, &status, 0);
	seen[number] = WEXITSTATUS(status);
}

static void run(int t)
{
	const char *steps = thread_steps[t];
	int number = 0;
	for (int i = 0; i < t; i++)
		for (const char *s = thread_steps[i]; *s; s += 2)
			number += !!strchr("RMTWGE", *s);
	for (const char *s = steps; *s; s += 2) {
		int n = s[1] - '0';
		switch (*s) {
		case 's':
			__atomic_store_n(&var[n], t + 1, __ATOMIC_RELAXED);
			break;
		case 'c':
			__atomic_store_n(&var[!n], __atomic_load_n(&var[n], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
			break;
		case 'l':
			pthread_mutex_lock(&mutex[n]);
			break;
		case 'u':
			pthread_mutex_unlock(&mutex[n]);
			break;
		case 'x':
			n ? pthread_rwlock_wrlock(&rwlock) : pthread_rwlock_rdlock(&rwlock);
			break;
		case 'y':
			pthread_rwlock_unlock(&rwlock);
			break;
		case 'p':
			sem_post(&sem[n]);
			break;
		case 'w':
			sem_wait(&sem[n]);
			break;
		default:
			start_child(*s, n, number++);
		}
	}
}

static void *thread(void *t)
{
	run((int)(long)t);
	return t;
}

int main(int argc, char **argv)
{
	pthread_t t[4];
	thread_steps = argv + 1;
	sem_init(&sem[0], 0, 0);
	sem_init(&sem[1], 0, 0);
	for (long i = 1; i < argc - 1; i++)
		pthread_create(&t[i], 0, thread, (void *)i);
	run(0);
	for (int i = 1; i < argc - 1; i++)
		pthread_join(t[i], 0);
	return seen[0] | seen[1] << 4;
}
