/* What its threads do depends on a file that is named by argv[1]: "1" another lock, "2" a thread fewer, "3" one ends early, "4" one sleeps for
   long, "5", "7", "8" it becomes another program, "9", "c" the same while threads run, "d" it forks, "e" it signals a thread, "6" a counter starts
   with another value, "a" a thread more, which is created last, "b" a thread more, which is created first; and on the variable MOOD and the
   number of processors. */
#include <signal.h>
#include "window.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int what, start;
static volatile int shared;
static void *work(void *p)
{
	if (what == 3 && !p)
		return p;
	if (what == 4 && !p)
		sleep(30);
	pthread_mutex_t *m = what == 1 && !p ? &b : &a;
	pthread_mutex_lock(m);
	shared++;
	pthread_mutex_unlock(m);
	pthread_mutex_lock(m);
	shared++;
	pthread_mutex_unlock(m);
	__atomic_fetch_add(&start, 1, __ATOMIC_SEQ_CST);
	return p;
}
static void *rests(void *p)
{
	return p;
}
int main(int argc, char **argv)
{
	FILE *f = fopen(argv[1], "r");
	pthread_t t[2], more;
	const char *mood = getenv("MOOD");

	what = f ? fgetc(f) : '0';
	what -= what < 'a' ? '0' : 'a' - 10;
	assert(sysconf(_SC_NPROCESSORS_ONLN) > 0);
	if (mood)
		printf("%s\n", mood);
	start = what == 6 ? 7 : 0;
	if (what == 5)
		execl("/bin/true", "true", (char *)NULL);
	if (what == 7)
		execlp("env", "env", "echo", "became", "another", (char *)NULL);
	if (what == 8)
		execle("/bin/sh", "sh", "-c", "echo $WORDS", (char *)NULL, (char *[]){"WORDS=became another", NULL});
	if (what == 11)
		pthread_create(&more, NULL, rests, NULL);
	pthread_create(&t[0], NULL, work, NULL);
	if (what == 9)
		execl("/bin/true", "true", (char *)NULL);
	if (what == 13 && fork() == 0)
		_exit(0);
	if (what == 14)
		pthread_kill(t[0], SIGCONT);
	if (what != 2)
		pthread_create(&t[1], NULL, work, &a);
	if (what == 10)
		pthread_create(&more, NULL, rests, NULL);
	if (what == 12)
		execl("/bin/echo", "echo", "became another", (char *)NULL);
	pthread_mutex_lock(&a);
	shared++;
	pthread_mutex_unlock(&a);
	if (what == 10 || what == 11)
		pthread_join(more, NULL);
	pthread_join(t[0], NULL);
	if (what != 2)
		pthread_join(t[1], NULL);
	return 0;
}
