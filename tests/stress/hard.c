/* Tests that a night meets in packages, by the name of the program: `network` needs a server that is not there,
 * `daemon` goes to the background, `server` leaves a process in a session of its own, `hour` takes an hour. Each has
 * two threads that add under a lock.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *unused)
{
	pthread_mutex_lock(&lock);
	sum++;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void two_threads(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, add, NULL);
	pthread_create(&two, NULL, add, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
}

/* Port 1 of this machine, where nothing listens. */
static int reach_server(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(1)};

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (!connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof(at)))
		return 0;
	perror("connect");
	return 1;
}

int main(int argc, char **argv)
{
	const char *name = argc ? strrchr(argv[0], '/') + 1 : "";

	if (!strcmp(name, "daemon")) {
		if (daemon(1, 0))
			return 1;
		two_threads();
		sleep(1000);
	} else if (!strcmp(name, "server")) {
		if (!fork()) {
			setsid();
			sleep(1000);
			_exit(0);
		}
		two_threads();
	} else {
		two_threads();
		if (!strcmp(name, "hour"))
			sleep(3600);
		return strcmp(name, "network") ? 0 : reach_server();
	}
	return 0;
}
