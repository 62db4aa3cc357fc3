/* io_uring is not modelled: a thread that waited for a completion blocked the whole program. simul refuses it by name. It also refuses a signalfd
 * that is created without libc. With any other argument the program uses neither.
 * check: refused says=io.uring : -- ring
 * check: refused says=signalfd : -- signalfd
 * check: complete : -- none
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *how;

static void *make(void *unused)
{
	char params[120] = { 0 };
	sigset_t set;
	sigemptyset(&set);
	if (!strcmp(how, "ring"))
		syscall(SYS_io_uring_setup, 4, params);
	if (!strcmp(how, "signalfd"))
		syscall(SYS_signalfd4, -1, &set, 8, 0);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;
	how = argc > 1 ? argv[1] : "none";
	pthread_create(&t, NULL, make, NULL);
	pthread_join(t, NULL);
	return 0;
}
