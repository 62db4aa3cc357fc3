/* A thread takes a read lock twice while a writer waits. With PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP the second lock waits for the writer,
 * and the writer for the first: a deadlock that natively happens, and that was not found. PTHREAD_RWLOCK_PREFER_WRITER_NP, contrary to its
 * name, does not have it, nor a writer that gives up, nor a second lock that is only tried; but the try then fails.
 * Arguments: the kind of the lock ("static": an initialiser), how the writer comes, how the second lock is taken.
 * check: bug kind=deadlock replays=3 says=which_T0.1_waits_for_and_gets_first : -- 2 wait lock
 * check: bug kind=deadlock : -- static wait lock
 * check: bug kind=deadlock : --strategy optimal -- 2 wait lock
 * check: complete : -- 0 wait lock
 * check: complete : -- 1 wait lock
 * check: complete : -- 2 try lock
 * check: complete : -- 2 timed lock
 * check: complete : --time-model discrete -- 2 timed lock
 * check: bug kind=deadlock : -- 2 untimed lock
 * check: bug kind=exit says=EBUSY : -- 2 wait try
 * check: bug kind=exit says=ETIMEDOUT : -- 2 wait timed
 * check: complete : -- 1 wait try
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_rwlock_t at_start = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP, initialised, *rw = &initialised;
static const char *comes;

static struct timespec soon(int seconds)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_sec += seconds;
	return ts;
}

static void *writer(void *arg)
{
	struct timespec ts = soon(1);
	int r = 0;

	if (strcmp(comes, "try") == 0)
		r = pthread_rwlock_trywrlock(rw);
	else if (strcmp(comes, "timed") == 0)
		r = pthread_rwlock_timedwrlock(rw, &ts);
	else
		r = pthread_rwlock_wrlock(rw);
	if (r == 0)
		pthread_rwlock_unlock(rw);
	return arg;
}

static int again(const char *how)
{
	struct timespec ts = soon(1);
	int r = 0;

	if (strcmp(how, "try") == 0)
		r = pthread_rwlock_tryrdlock(rw);
	else if (strcmp(how, "timed") == 0)
		r = pthread_rwlock_timedrdlock(rw, &ts);
	else
		r = pthread_rwlock_rdlock(rw);
	if (r == 0)
		pthread_rwlock_unlock(rw);
	return r;
}

int main(int argc, char **argv)
{
	pthread_t t;
	pthread_rwlockattr_t attr;

	if (argc < 4)
		return 2;
	comes = argv[2];
	if (strcmp(argv[1], "static") == 0) {
		rw = &at_start;
	} else {
		pthread_rwlockattr_init(&attr);
		pthread_rwlockattr_setkind_np(&attr, atoi(argv[1]));
		pthread_rwlock_init(rw, &attr);
	}
	pthread_create(&t, NULL, writer, NULL);
	pthread_rwlock_rdlock(rw);
	int failed = again(argv[3]);
	pthread_rwlock_unlock(rw);
	pthread_join(t, NULL);
	return failed != 0;
}
