/* recvmsg with MSG_WAITALL fills all of its buffers, from messages that a thread sends one after the other. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2];

static void *sender(void *unused)
{
	assert(send(pair[1], "ab", 2, 0) == 2);
	assert(send(pair[1], "cde", 3, 0) == 3);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char first[3], second[2];
	struct iovec iov[] = {{first, sizeof(first)}, {second, sizeof(second)}};
	struct msghdr msg = {.msg_iov = iov, .msg_iovlen = 2};

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	assert(!pthread_create(&t, NULL, sender, NULL));
	assert(recvmsg(pair[0], &msg, MSG_WAITALL) == 5);
	assert(!memcmp(first, "abc", 3) && !memcmp(second, "de", 2));
	assert(!pthread_join(t, NULL));
	close(pair[1]);
	assert(recvmsg(pair[0], &msg, MSG_WAITALL) == 0);
	return 0;
}
