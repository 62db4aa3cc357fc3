/* Regions of simul.h, right and wrong; the argument says which. C and C++. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <simul.h>

static int a[10], count, flag, other;
static const char *what;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is(const char *name)
{
	return !strcmp(what, name);
}

static void both_accesses(void)
{
	for (int i = 0; i < 5; i++)
		a[i]++;
}

static void waits(void)
{
	simul_atomic_begin();
	if (is("spin"))
		while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
			;
	else
		pthread_mutex_lock(&lock);
	count++;
	if (!is("spin"))
		pthread_mutex_unlock(&lock);
	simul_atomic_end();
}

static void has_child(void)
{
	simul_atomic_begin();
	pid_t child = fork();
	if (!child) {
		simul_atomic_end();
		simul_atomic_end(); /* nobody is there to complain */
		_exit(0);
	}
	simul_atomic_end();
	waitpid(child, NULL, 0);
}

static void private_data(int atomic)
{
	static __thread int mine[4];
	if (atomic)
		simul_atomic_begin();
	for (int i = 0; i < 4; i++)
		mine[i]++;
	if (atomic)
		simul_atomic_end();
	count++;
}

static void explored(void)
{
	a[0]++;
	simul_explore_begin();
	simul_explore_begin();
	simul_explore_end();
	count++;
	simul_explore_end();
	a[3]++;
}

static void *thread(void *arg)
{
	if (is("unit") || is("nested") || is("ends")) {
		simul_atomic_begin();
		if (is("nested")) {
			simul_atomic_begin();
			a[9]++;
			simul_atomic_end();
		}
		both_accesses();
		if (!is("ends"))
			simul_atomic_end();
	} else if (is("spin") || is("lock")) {
		waits();
	} else if (is("child")) {
		has_child();
	} else if (is("cancelled")) {
		simul_atomic_begin();
		pthread_testcancel();
		simul_atomic_end();
	} else if (is("private") || is("private-atomic")) {
		private_data(is("private-atomic"));
	} else if (is("explore")) {
		explored();
	} else if (is("open")) {
		both_accesses();
		simul_explore_begin();
		count++;
	} else if (is("atomic-end")) {
		simul_atomic_end();
	} else if (is("explore-end")) {
		simul_explore_end();
	} else if (is("fails")) {
		a[0]++;
		simul_explore_begin();
		simul_atomic_begin();
		int before = count;
		other++;
		simul_atomic_end();
		count = before + 1;
		simul_explore_end();
	} else {
		count++;
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	what = argc > 1 ? argv[1] : "";
	if (is("around"))
		simul_explore_begin();
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	if (is("around"))
		simul_explore_end();
	if (is("lock"))
		waits();
	if (is("cancelled"))
		pthread_cancel(t[0]);
	if (is("spin"))
		__atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (is("late")) {
		simul_explore_begin();
		simul_explore_end();
	}
	return is("fails") && count != 2;
}
