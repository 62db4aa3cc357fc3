/* The main thread waits for a child: for its output (poll, read), for its end (poll of a pidfd, waitpid). A second
 * thread runs meanwhile. A child that took 50 ms came after that thread in all executions, unless waitpid waited for
 * it, and the verdict was complete. A child that takes longer than simul waits is named.
 * check: bug kind=assert replays=3 : -- poll 0.05 MMTT
 * check: bug kind=assert replays=3 : -- read 0.05 MTMT
 * check: bug kind=assert replays=3 : -- pidfd 0.05 TMMT
 * check: bug kind=assert replays=3 : -- waitpid 0.05 MMTT
 * check: complete : -- poll 0.05 none
 * check: complete says=except_for_orders_in_which_another_process_is_faster : -- read 1.3 none
 * check: complete says=except_for_orders_in_which_another_process_is_faster : -- waitpid 1.3 none
 * long: complete says=except_for_orders_in_which_another_process_is_faster : -- poll 1.3 none
 * long: complete says=except_for_orders_in_which_another_process_is_faster : -- pidfd 1.3 none
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char order[8];
static int k;

static void section(char c)
{
	pthread_mutex_lock(&m);
	order[k++] = c;
	pthread_mutex_unlock(&m);
}

static void *two_sections(void *unused)
{
	section('T');
	section('T');
	return unused;
}

static void wait_for(const char *how, pid_t child, int output)
{
	struct pollfd f = { output, POLLIN, 0 };
	char c;

	if (!strcmp(how, "read"))
		assert(read(output, &c, 1) == 1);
	else if (!strcmp(how, "waitpid"))
		assert(waitpid(child, NULL, 0) == child);
	else {
		if (!strcmp(how, "pidfd"))
			f.fd = (int)syscall(SYS_pidfd_open, child, 0);
		assert(f.fd >= 0 && poll(&f, 1, -1) == 1);
	}
}

int main(int argc, char **argv)
{
	pthread_t t;
	int p[2];
	char command[40];

	assert(argc == 4 && !pipe2(p, O_CLOEXEC));
	snprintf(command, sizeof command, "sleep %s; echo x", argv[2]);
	pthread_create(&t, NULL, two_sections, NULL);
	pid_t child = fork();
	if (!child) {
		dup2(p[1], 1);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(1);
	}
	section('M');
	wait_for(argv[1], child, p[0]);
	section('M');
	pthread_join(t, NULL);
	assert(strcmp(order, argv[3]));
	return 0;
}
