/* readv, recvmsg and recvmmsg write to memory after they have waited. Another thread can look before or after that. simul once reported the write
 * before the wait: it never tried the order in which the data is there when the sender looks. With "late" as well the sender waits for the
 * receiver's end, and finds all bytes. The kernel rejects numbers of pieces that are negative or above IOV_MAX.
 * check: bug kind=assert replays=3 : -- readv
 * check: bug kind=assert replays=3 : -- recvmsg
 * check: bug kind=assert replays=3 : -- recvmmsg
 * check: complete : -- readv late
 * check: complete : -- recvmsg late
 * check: complete : -- recvmmsg late
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static char first, rest[3];
static int fd[2];
static struct iovec many[2000];
static const char *how;

static void *receive(void *arg)
{
	struct iovec iov[2] = {{&first, 1}, {rest, sizeof(rest)}};
	struct mmsghdr message = {.msg_hdr = {.msg_iov = iov, .msg_iovlen = 2}};

	if (!strcmp(how, "readv")) {
		assert(readv(fd[0], iov, 2) == 3);
	} else if (!strcmp(how, "recvmsg")) {
		assert(recvmsg(fd[0], &message.msg_hdr, 0) == 3);
	} else {
		assert(recvmmsg(fd[0], &message, 1, 0, NULL) == 1);
		assert(message.msg_len == 3);
	}
	assert(message.msg_hdr.msg_iov == iov && message.msg_hdr.msg_iovlen == 2);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;
	volatile int wrong = -1;

	how = argc > 1 ? argv[1] : "readv";
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	assert(readv(fd[0], many, wrong) < 0 && readv(fd[0], many, 2000) < 0 && writev(fd[0], many, 2000) < 0);
	pthread_create(&t, NULL, receive, NULL);
	assert(write(fd[1], "abc", 3) == 3);
	if (argc > 2)
		pthread_join(t, NULL);
	char a = first, c = rest[1];

	if (argc > 2)
		assert(a == 'a' && rest[0] == 'b' && c == 'c');
	else
		assert(a != 'a');
	if (argc < 3)
		pthread_join(t, NULL);
	return 0;
}
