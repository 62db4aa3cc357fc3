/* The credentials of the peer of a socket: the peer is the program itself, with its own process id. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2];

static void *thread(void *arg)
{
	int on = 1, fds[2];
	struct ucred peer;
	socklen_t len = sizeof(peer);
	char c, control[CMSG_SPACE(sizeof(peer))];
	struct iovec iov = {&c, 1};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};

	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
	assert(getsockopt(fds[0], SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 && peer.pid == getpid() && peer.uid == getuid());
	assert(setsockopt(fds[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) == 0 && write(fds[1], "x", 1) == 1);
	assert(recvmsg(fds[0], &msg, 0) == 1);
	struct cmsghdr *first = CMSG_FIRSTHDR(&msg);
	assert(first && first->cmsg_type == SCM_CREDENTIALS);
	memcpy(&peer, CMSG_DATA(first), sizeof(peer));
	assert(peer.pid == getpid());
	assert(write(pair[1], "y", 1) == 1);
	return NULL;
}

int main(void)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	pthread_t t;
	char c;

	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	assert(pthread_create(&t, NULL, thread, NULL) == 0);
	assert(read(pair[0], &c, 1) == 1);
	assert(getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 && peer.pid == getpid());
	pthread_join(t, NULL);
	return 0;
}
