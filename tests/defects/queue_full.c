/* A thread connects to a Unix socket, and the queue of the listener is full. connect waited in the kernel and stopped the whole program, so that the
 * thread that accepts could not run: no execution ever ended.
 * check: complete traces=2 : --
 * check: complete traces=2 : --strategy source --shuffle 3 --
 * check: complete traces=2 : -- path
 * With a timeout of the socket, connect fails with EAGAIN in one of the two orders.
 * check: complete traces=2 : -- timeout
 * No thread accepts: a deadlock.
 * check: bug kind=deadlock replays=1 : -- never
 * Two threads wait for room.
 * check: complete : -- two
 * A thread sends datagrams to a socket whose queue is full. poll knows only the sender's, so simul tried again until each execution was cut.
 * check: complete : -- datagram
 * check: complete : --strategy source --shuffle 3 -- datagram
 * check: bug kind=deadlock replays=1 : -- datagram never
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un at = {.sun_family = AF_UNIX};
static socklen_t size;
static const char *mode = "", *end = "";
static int type = SOCK_STREAM, failed;

static int is(const char *what)
{
	return !strcmp(mode, what) || !strcmp(end, what);
}

static void *nothing(void *unused)
{
	return unused;
}

static void *client(void *n)
{
	struct timeval second = {.tv_sec = 1};

	for (long i = 0; i < (long)n; i++) {
		int s = socket(AF_UNIX, type, 0);

		assert(s >= 0);
		if (is("timeout"))
			setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof(second));
		if (connect(s, (struct sockaddr *)&at, size)) {
			assert(is("timeout") && errno == EAGAIN);
			failed = 1;
		}
	}
	return NULL;
}

/* The kernel keeps eleven datagrams if net.unix.max_dgram_qlen has its usual value. The sender fills the queue before the receiver starts. */
static void *sender(void *arg)
{
	int s = *(int *)arg;

	assert(sendto(s, "x", 1, 0, (struct sockaddr *)&at, size) == 1);
	return NULL;
}

static void datagrams(int to)
{
	int s = socket(AF_UNIX, type, 0), n = 0;
	pthread_t t;
	char c;

	while (sendto(s, "x", 1, MSG_DONTWAIT, (struct sockaddr *)&at, size) == 1)
		n++;
	assert(errno == EAGAIN);
	pthread_create(&t, NULL, sender, &s);
	if (!is("never"))
		assert(recv(to, &c, 1, 0) == 1);
	pthread_join(t, NULL);
	for (int i = 0; i < n; i++)
		assert(recv(to, &c, 1, 0) == 1);
	assert(recv(to, &c, 1, MSG_DONTWAIT) == -1);
}

int main(int argc, char **argv)
{
	pthread_t t, u;
	int s, n = 2, two;

	if (argc > 1)
		mode = argv[1];
	if (argc > 2)
		end = argv[2];
	two = is("two");
	pthread_create(&t, NULL, nothing, NULL); /* sockets from before the first thread are shared by executions */
	pthread_join(t, NULL);
	if (is("datagram"))
		type = SOCK_DGRAM;
	snprintf(at.sun_path + !is("path"), sizeof(at.sun_path) - 1, "queue_full-%d", getpid());
	size = offsetof(struct sockaddr_un, sun_path) + !is("path") + strlen(at.sun_path + !is("path"));
	s = socket(AF_UNIX, type, 0);
	assert(s >= 0 && !bind(s, (struct sockaddr *)&at, size));
	if (is("datagram")) {
		datagrams(s);
		return 0;
	}
	assert(!listen(s, 0)); /* room for one */
	pthread_create(&t, NULL, client, (void *)(two ? 1L : 2L));
	if (two) {
		pthread_create(&u, NULL, client, (void *)2L);
		n = 3;
	}
	for (int i = 0; i < n - is("timeout") && !is("never"); i++)
		assert(accept(s, NULL, NULL) >= 0);
	pthread_join(t, NULL);
	if (is("timeout") && !failed)
		assert(accept(s, NULL, NULL) >= 0);
	if (two)
		pthread_join(u, NULL);
	if (is("path"))
		unlink(at.sun_path);
	return 0;
}
