/* A thread sends a signal to another thread, cancels it or joins it, while a third thread joins the same one. If the join came first, the call was
 * no event, so simul never tried it before the join: it once said `complete: there is only one trace` for the first program, whose handler fails
 * when it interrupts the thread. A call that uses signal 0 to check whether a thread has ended must be an event too.
 * check: bug kind=assert replays=2 : --shuffle 3 -- kill
 * check: bug kind=assert replays=2 : -- kill
 * check: bug kind=assert replays=2 : --strategy trust --shuffle 3 -- kill
 * check: bug kind=assert : --shuffle 3 -- cancel
 * check: bug kind=misuse : --shuffle 3 -- join
 * check: bug kind=assert replays=2 : --shuffle 3 -- alive
 * check: bug kind=assert : -- alive
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_t a, b;
static volatile int x;
static volatile long id;
static const char *how;

static void handler(int sig)
{
	(void)sig;
	assert(x != 0);
}

static void *first(void *u)
{
	id = syscall(SYS_gettid);
	x = 1;
	x = 2;
	pthread_testcancel();
	return u;
}

static void *second(void *u)
{
	if (!strcmp(how, "kill"))
		pthread_kill(a, SIGUSR1);
	else if (!strcmp(how, "cancel"))
		pthread_cancel(a);
	else if (!strcmp(how, "join"))
		pthread_join(a, NULL);
	return u;
}

static void *asks(void *u)
{
	long t = id;

	assert(!t || syscall(SYS_tgkill, (long)getpid(), t, 0L) == 0);
	return u;
}

int main(int argc, char **argv)
{
	void *r;

	how = argc > 1 ? argv[1] : "kill";
	signal(SIGUSR1, handler);
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, strcmp(how, "alive") ? second : asks, NULL);
	pthread_join(a, &r);
	assert(r != PTHREAD_CANCELED);
	pthread_join(b, NULL);
	return 0;
}
