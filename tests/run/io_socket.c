/* A server and a client over TCP on loopback, both in this program. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in addr;
static int listener;

static void *nothing(void *arg)
{
	return NULL;
}

static void *server(void *arg)
{
	char buf[5];
	int s = accept(listener, NULL, NULL);

	assert(s >= 0);
	assert(recv(s, buf, sizeof buf, MSG_WAITALL) == 5 && !memcmp(buf, "hello", 5));
	assert(send(s, "world", 5, 0) == 5);
	close(s);
	return NULL;
}

int main(void)
{
	pthread_t t;
	socklen_t len = sizeof addr;
	char buf[8];
	size_t got = 0;
	ssize_t n;

	addr = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	assert(pthread_create(&t, NULL, nothing, NULL) == 0);
	pthread_join(t, NULL);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	assert(bind(listener, (struct sockaddr *)&addr, sizeof addr) == 0 && listen(listener, 4) == 0);
	assert(getsockname(listener, (struct sockaddr *)&addr, &len) == 0);
	assert(pthread_create(&t, NULL, server, NULL) == 0);
	int s = socket(AF_INET, SOCK_STREAM, 0);
	assert(connect(s, (struct sockaddr *)&addr, sizeof addr) == 0);
	assert(write(s, "he", 2) == 2);
	assert(write(s, "llo", 3) == 3);
	while ((n = read(s, buf + got, sizeof buf - got)) > 0)
		got += (size_t)n;
	assert(n == 0 && got == 5 && !memcmp(buf, "world", 5));
	pthread_join(t, NULL);
	close(s);
	close(listener);
	return 0;
}
