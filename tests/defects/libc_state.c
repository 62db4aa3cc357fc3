/* Functions that keep state between calls, called by two threads. Such programs were complete with one trace: simul did not see accesses that libc
 * makes to its own memory.
 * check: bug kind=assert says=the_state_of_strtok : -- strtok
 * check: bug : --model tso -- strtok
 * check: complete traces=1 never=data_race : -- strtok_r
 * check: complete traces=2 never=data_race : -- strtok_locked
 * check: bug kind=assert says=the_result_of_localtime_and_gmtime : -- localtime
 * check: bug kind=assert says=the_result_of_asctime_and_ctime : -- ctime
 * check: complete traces=1 never=data_race : -- localtime_r
 * check: complete traces=2 never=data_race : -- localtime_locked
 * check: bug kind=assert never=data_race : -- rand
 * check: complete traces=1 never=data_race : -- rand_r
 * check: complete traces=2 says=the_state_of_drand48 : -- drand48
 * check: complete traces=1 never=data_race : -- drand48_r
 * check: complete traces=2 says=the_environment : -- setenv
 * check: complete traces=2 never=data_race : -- setenv_locked
 * check: complete traces=1 never=data_race : -- getenv
 * check: complete says=data_race : -- readdir
 * check: complete traces=1 never=data_race : -- readdir_own
 * check: complete says=the_result_of_getpwnam_and_getpwuid : -- getpwnam
 * check: complete never=data_race : -- getpwnam_r
 * check: complete says=the_locale : -- setlocale
 * long: complete traces=2 says=the_state_of_drand48 : --model pso -- drand48
 * long: bug kind=assert : --isolation exec -- strtok
 * long: bug kind=assert : --isolation fork -- localtime
 */
#include <assert.h>
#include <dirent.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *mode;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static DIR *dir;

static int is(const char *name)
{
	return !strcmp(mode, name);
}

static int pieces(char *s, int own)
{
	char *place;
	int n = 0;

	for (char *p = own ? strtok_r(s, " ", &place) : strtok(s, " "); p; p = own ? strtok_r(NULL, " ", &place) : strtok(NULL, " "))
		n++;
	return n;
}

static void *work(void *arg)
{
	long i = (long)arg;
	char text[8] = "a b";
	time_t t = i * 86400 * 3660;
	struct tm own;

	if (is("strtok"))
		assert(pieces(text, 0) == 2);
	if (is("strtok_r"))
		assert(pieces(text, 1) == 2);
	if (is("strtok_locked")) {
		pthread_mutex_lock(&lock);
		assert(pieces(text, 0) == 2);
		pthread_mutex_unlock(&lock);
	}
	if (is("localtime")) {
		struct tm *tm = localtime(&t);
		assert(tm->tm_year == 70 + 10 * i);
	}
	if (is("ctime")) {
		char *s = ctime(&t);
		assert(s[22] == (i ? '8' : '7'));
	}
	if (is("localtime_r")) {
		localtime_r(&t, &own);
		assert(own.tm_year == 70 + 10 * i);
	}
	if (is("localtime_locked")) {
		pthread_mutex_lock(&lock);
		struct tm *tm = localtime(&t);
		assert(tm->tm_year == 70 + 10 * i);
		pthread_mutex_unlock(&lock);
	}
	if (is("rand")) {
		static const int first = 1804289383; /* of seed 1 */
		int x = rand();
		assert((i == 0) == (x == first));
	}
	if (is("rand_r")) {
		unsigned seed = (unsigned)i;
		rand_r(&seed);
	}
	if (is("drand48"))
		drand48();
	if (is("drand48_r")) {
		struct drand48_data d;
		double x;
		srand48_r(i, &d);
		drand48_r(&d, &x);
	}
	if (is("setenv") && i == 0)
		setenv("SOME_NAME", "b", 1);
	if (is("setenv") && i == 1)
		getenv("SOME_NAME");
	if (is("setenv_locked")) {
		pthread_mutex_lock(&lock);
		if (i == 0)
			setenv("SOME_NAME", "b", 1);
		else
			getenv("SOME_NAME");
		pthread_mutex_unlock(&lock);
	}
	if (is("getenv"))
		getenv("SOME_NAME");
	if (is("readdir"))
		readdir(dir);
	if (is("readdir_own")) {
		DIR *d = opendir("/");
		readdir(d);
		closedir(d);
	}
	if (is("getpwnam"))
		getpwnam("root");
	if (is("getpwnam_r")) {
		struct passwd p, *r;
		char buf[1024];
		getpwnam_r("root", &p, buf, sizeof(buf), &r);
	}
	if (is("setlocale"))
		i ? (void)setlocale(LC_ALL, "C") : (void)localeconv();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	mode = argv[1];
	setenv("SOME_NAME", "a", 1);
	setenv("TZ", "UTC", 1);
	dir = opendir("/");
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
