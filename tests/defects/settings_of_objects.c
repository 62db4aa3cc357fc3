/* A thread sets something that another one asks for, or that decides what the other one does. These calls were no
 * events, so the verdict was "there is only one trace" although the order matters. Each failure needs that the second
 * thread is first. The settings of a terminal, the options of a network socket and the seals of a file also stayed for
 * later executions. kept: a socket pair that simul makes again for each execution lost an option. own: each thread has
 * objects of its own, and nothing is to be explored.
 * check: bug kind=deadlock replays=2 : -- time_limit
 * check: bug kind=deadlock replays=2 : --isolation fork -- time_limit
 * check: bug kind=deadlock replays=2 : --isolation exec -- time_limit
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- option
 * check: bug kind=assert replays=2 : --keep-going -- duplicate
 * check: bug kind=assert replays=2 : --keep-going -- buffer
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- on_exec
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- owner
 * check: bug kind=assert traces=2 replays=2 : --keep-going --isolation fork -- seal
 * check: bug kind=assert traces=2 replays=2 : --keep-going --isolation rewind -- seal
 * check: bug kind=assert traces=2 replays=2 : --keep-going --isolation exec -- seal
 * check: bug kind=assert traces=2 replays=2 : --keep-going --isolation fork -- terminal
 * check: bug kind=assert traces=2 replays=2 : --keep-going --isolation rewind -- terminal
 * check: bug kind=assert traces=2 replays=2 : --keep-going --isolation exec -- terminal
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- name
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- name_by_prctl
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- policy
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- policy_by_id
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- timer
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- stack_size
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- concurrency
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- limit
 * check: bug kind=assert traces=2 replays=2 : --keep-going -- fork_handler
 * check: incomplete never=assert says=sockets_from_before_the_first_thread : --isolation fork -- network
 * check: incomplete never=assert says=sockets_from_before_the_first_thread : --isolation rewind -- network
 * check: complete traces=2 : --isolation exec -- network
 * check: complete traces=1 : --isolation fork -- kept
 * check: complete traces=1 : --isolation rewind -- kept
 * check: complete traces=1 : -- own
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const char *what;
static int pair[2], copy, memory, terminal, found = 1;
static pthread_t thread[2];
static pid_t id;
static timer_t timer;

static int network;
static atomic_int turns;
static volatile int turn[2];

/* The handler that was registered last is called first, so the other one decides. */
static void first(void)
{
	found = 1;
}

static void second(void)
{
	found = 0;
}

static int is(const char *name)
{
	return !strcmp(what, name);
}

static void set_option(int fd, int option, int value)
{
	assert(!setsockopt(fd, SOL_SOCKET, option, &value, sizeof(value)));
}

static int option(int fd)
{
	int value;
	socklen_t size = sizeof(value);

	assert(!getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &value, &size));
	return value;
}

static void set_terminal(void)
{
	struct termios settings;

	assert(!tcgetattr(terminal, &settings));
	settings.c_cc[VMIN] = 77;
	assert(!tcsetattr(terminal, TCSANOW, &settings));
}

static void set_default(void)
{
	pthread_attr_t attr;

	assert(!pthread_attr_init(&attr) && !pthread_attr_setstacksize(&attr, 1 << 20));
	assert(!pthread_setattr_default_np(&attr));
}

static void *setter(void *none)
{
	struct timeval limit = {.tv_usec = 1000};
	struct itimerspec late = {.it_value = {.tv_sec = 100}};
	struct sched_param param = {0};
	struct rlimit files = {100, 4096};

	if (is("time_limit"))
		assert(!setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)));
	if (is("option") || is("duplicate"))
		set_option(pair[0], SO_KEEPALIVE, 1);
	if (is("buffer"))
		set_option(pair[0], SO_SNDBUF, 4608);
	if (is("on_exec"))
		fcntl(pair[0], F_SETFD, FD_CLOEXEC);
	if (is("owner"))
		fcntl(pair[0], F_SETOWN, getpid());
	if (is("seal"))
		fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE);
	if (is("terminal"))
		set_terminal();
	if (is("name"))
		pthread_setname_np(pthread_self(), "named");
	if (is("name_by_prctl"))
		prctl(PR_SET_NAME, "named");
	if (is("policy"))
		assert(!pthread_setschedparam(pthread_self(), SCHED_BATCH, &param));
	if (is("policy_by_id"))
		assert(!sched_setscheduler(id, SCHED_BATCH, &param));
	if (is("timer"))
		assert(!timer_settime(timer, 0, &late, 0));
	if (is("stack_size"))
		set_default();
	if (is("concurrency"))
		pthread_setconcurrency(3);
	if (is("limit"))
		assert(!setrlimit(RLIMIT_NOFILE, &files));
	if (is("fork_handler"))
		pthread_atfork(first, 0, 0);
	if (is("network")) {
		assert(!option(network));
		set_option(network, SO_KEEPALIVE, 1);
	}
	if (is("network"))
		turn[0] = turns++;
	return none;
}

static void *asker(void *none)
{
	static char bytes[20000];
	struct itimerspec left;
	struct termios settings;
	struct sched_param param;
	pthread_attr_t attr;
	char name[16];
	size_t size;

	if (is("time_limit"))
		recv(pair[0], bytes, 1, 0);
	if (is("option") || is("duplicate"))
		found = option(is("option") ? pair[0] : copy);
	if (is("buffer"))
		found = send(pair[0], bytes, sizeof(bytes), MSG_DONTWAIT) != sizeof(bytes);
	if (is("on_exec"))
		found = fcntl(pair[0], F_GETFD);
	if (is("owner"))
		found = fcntl(pair[0], F_GETOWN);
	if (is("seal"))
		found = write(memory, "x", 1) < 0;
	if (is("terminal"))
		found = !tcgetattr(terminal, &settings) && settings.c_cc[VMIN] == 77;
	if (is("name") || is("name_by_prctl"))
		found = !pthread_getname_np(thread[0], name, sizeof(name)) && !strcmp(name, "named");
	if (is("policy"))
		assert(!pthread_getschedparam(thread[0], &found, &param));
	if (is("policy_by_id"))
		found = sched_getscheduler(id);
	if (is("timer"))
		found = !timer_gettime(timer, &left) && left.it_value.tv_sec;
	if (is("stack_size"))
		found = !pthread_getattr_default_np(&attr) && !pthread_attr_getstacksize(&attr, &size) &&
			size == 1 << 20;
	if (is("concurrency"))
		found = pthread_getconcurrency();
	if (is("limit"))
		found = sysconf(_SC_OPEN_MAX) == 100;
	if (is("fork_handler"))
		pthread_atfork(second, 0, 0);
	if (is("kept"))
		found = option(pair[0]);
	if (is("network"))
		turn[1] = turns++;
	return none;
}

static void *own(void *none)
{
	struct itimerspec late = {.it_value = {.tv_sec = 100}};
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	struct sched_param param = {0};
	char name[16];
	timer_t mine;
	int policy, ends[2];

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	set_option(ends[0], SO_KEEPALIVE, 1);
	assert(option(ends[0]) && !fcntl(ends[0], F_SETFD, FD_CLOEXEC) && fcntl(ends[0], F_GETFD) == FD_CLOEXEC);
	assert(!pthread_setname_np(pthread_self(), "mine"));
	assert(!pthread_getname_np(pthread_self(), name, sizeof(name)));
	assert(!pthread_setschedparam(pthread_self(), SCHED_OTHER, &param));
	assert(!pthread_getschedparam(pthread_self(), &policy, &param));
	assert(!timer_create(CLOCK_MONOTONIC, &event, &mine) && !timer_settime(mine, 0, &late, 0));
	return none;
}

int main(int argc, char **argv)
{
	struct sigevent event = {.sigev_notify = SIGEV_NONE};

	if (argc < 2)
		return 0;
	what = argv[1];
	id = getpid();
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair) && (copy = dup(pair[0])) >= 0);
	assert((memory = memfd_create("memory", MFD_ALLOW_SEALING)) >= 0 && (terminal = posix_openpt(O_RDWR)) >= 0);
	assert(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	if (is("network"))
		network = socket(AF_INET, SOCK_STREAM, 0);
	if (is("kept"))
		set_option(pair[0], SO_KEEPALIVE, 1);
	pthread_create(&thread[0], 0, is("own") ? own : setter, 0);
	pthread_create(&thread[1], 0, is("own") ? own : asker, 0);
	pthread_join(thread[1], 0);
	pthread_join(thread[0], 0);
	if (is("fork_handler")) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		waitpid(child, 0, 0);
	}
	assert(found);
	return 0;
}
