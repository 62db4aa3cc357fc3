/* A thread installs, resets or ignores a handler while another thread sends the signal. The order decides which handler runs, or whether the default action ends the
 * process. It was not tried: complete.
 * check: bug kind=crash replays=2 : -- install raise
 * check: bug kind=crash : -- install kill
 * check: bug kind=crash replays=2 : -- install thread
 * check: bug says=killed_by_SIGUSR1 : --keep-going -- reset thread
 * check: bug kind=assert : -- ignore raise
 * check: bug kind=assert : -- ignore thread
 * check: bug kind=assert : -- other thread
 * check: bug kind=assert says=the_disposition : -- ask raise
 * check: bug kind=assert : -- ignore spawn
 * check: bug traces=2 : --keep-going --strategy optimal -- ask raise
 * check: complete traces=1 : --strategy optimal -- same raise
 * check: complete traces=1 : --strategy optimal -- first raise
 * check: complete traces=1 : --strategy optimal -- unrelated raise
 * check: complete traces=1 : --strategy optimal -- first spawn
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *what;
static volatile sig_atomic_t ran, others;
static pthread_t first;

static void count(int sig)
{
	ran++;
}

static void count_other(int sig)
{
	others++;
}

static void set(int sig, void (*handler)(int))
{
	struct sigaction sa = {.sa_handler = handler};

	assert(!sigaction(sig, &sa, NULL));
}

static void *change(void *x)
{
	struct sigaction now;

	if (!strcmp(what, "install"))
		set(SIGUSR1, count);
	else if (!strcmp(what, "reset"))
		set(SIGUSR1, SIG_DFL);
	else if (!strcmp(what, "ignore"))
		set(SIGUSR1, SIG_IGN);
	else if (!strcmp(what, "other"))
		set(SIGUSR1, count_other);
	else if (!strcmp(what, "unrelated"))
		set(SIGUSR2, SIG_IGN);
	else if (!strcmp(what, "ask"))
		assert(!sigaction(SIGUSR1, NULL, &now) && now.sa_handler == count);
	return x;
}

static void *send(void *x)
{
	pthread_kill(first, SIGUSR1);
	return x;
}

int main(int argc, char **argv)
{
	const char *how = argv[2];
	pthread_t t, u;
	int spawns = !strcmp(how, "spawn");

	what = argv[1];
	first = pthread_self();
	if (strcmp(what, "install") && !spawns)
		set(SIGUSR1, count);
	if (!strcmp(what, "first"))
		set(SIGUSR1, spawns ? SIG_DFL : count);
	pthread_create(&t, 0, change, 0);
	if (!strcmp(what, "ask")) { /* until the handler is the other one */
		set(SIGUSR1, count_other);
		pthread_join(t, 0);
		return 0;
	}
	if (!strcmp(how, "raise"))
		raise(SIGUSR1);
	else if (!strcmp(how, "kill"))
		kill(getpid(), SIGUSR1);
	else if (spawns)
		assert(system("kill -USR1 $$; exit 0"));
	else {
		pthread_create(&u, 0, send, 0);
		pthread_join(u, 0);
	}
	pthread_join(t, 0);
	assert(spawns || ran == 1);
}
