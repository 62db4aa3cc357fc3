/* close does not wake a thread that already waits in read: natively this hangs for ever. The close was tried only before the read.
 * The number is looked up before the close, and the read waits, or after it, and the read fails. shutdown wakes the reader: it comes before the read
 * or the read waits for it, which is one order of two events that depend on each other in one way only.
 * check: bug kind=deadlock says=no_thread_is_left replays=3 :
 * check: bug kind=deadlock : -- pipe
 * O_NONBLOCK does not wake the reader either, if it waits already.
 * check: bug kind=deadlock : -- nonblock
 * check: complete traces=1 : -- shutdown
 * check: complete traces=1 : -- nonblock first
 */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int s[2];

static void *reader(void *x)
{
	char c;

	read(s[0], &c, 1);
	return x;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1 && !strcmp(argv[1], "pipe"))
		pipe(s);
	else
		socketpair(AF_UNIX, SOCK_STREAM, 0, s);
	if (argc > 2)
		fcntl(s[0], F_SETFL, O_NONBLOCK);
	pthread_create(&t, 0, reader, 0);
	if (argc > 1 && !strcmp(argv[1], "shutdown"))
		shutdown(s[0], SHUT_RDWR);
	else if (argc == 2 && !strcmp(argv[1], "nonblock"))
		fcntl(s[0], F_SETFL, O_NONBLOCK);
	else if (argc < 3)
		close(s[0]); /* meant as: stop the reader */
	pthread_join(t, 0);
	close(s[1]);
}
