/* A call names a thread by a handle that never was a thread's, for example because pthread_create failed or came too late. libc crashes. simul
 * answered ESRCH, and called the program correct.
 * check: bug kind=crash replays=1 : -- join
 * check: bug kind=crash : -- detach
 * check: bug kind=crash : -- cancel
 * check: bug kind=crash : -- kill
 * check: complete : -- made
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>

static pthread_t worker;
static const char *mode;

static void *work(void *unused)
{
	return unused;
}

static void *early(void *unused)
{
	if (!strcmp(mode, "join"))
		pthread_join(worker, NULL);
	else if (!strcmp(mode, "detach"))
		pthread_detach(worker);
	else if (!strcmp(mode, "cancel"))
		pthread_cancel(worker);
	else if (!strcmp(mode, "kill"))
		pthread_kill(worker, 0);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;

	mode = argc > 1 ? argv[1] : "made";
	pthread_create(&t, NULL, early, NULL);
	pthread_join(t, NULL);
	pthread_create(&worker, NULL, work, NULL);
	if (strcmp(mode, "detach"))
		pthread_join(worker, NULL);
	return 0;
}
