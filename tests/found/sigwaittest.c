/* sigwaittest of rt-tests 2.4, reduced: the thread that gets SIGUSR2 blocks it itself, and main only sleeps 10 ms
 * before it starts the thread that sends it. A signal that comes earlier ends the process. docs/found.md has more.
 * build: gcc -g -O1 -pthread
 * check: bug kind=crash replays=3 says=killed_by_SIGUSR2 : --
 * check: complete : --time-model discrete --
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_t receiver;

static void *receive(void *unused)
{
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_SETMASK, &set, NULL);
	sigwait(&set, &sig);
	return unused;
}

static void *send(void *unused)
{
	pthread_kill(receiver, SIGUSR2);
	return unused;
}

int main(void)
{
	pthread_t sender;

	pthread_create(&receiver, NULL, receive, NULL);
	usleep(10000);
	pthread_create(&sender, NULL, send, NULL);
	pthread_join(sender, NULL);
	pthread_join(receiver, NULL);
	return 0;
}
