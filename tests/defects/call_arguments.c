/* Memory that calls read through their arguments, or write when they return. Another thread writes or reads it meanwhile, so there are two traces.
 * simul did not see these accesses: it said `complete` after one trace.
 * check: complete traces=2 says=data_race : -- create
 * check: complete traces=2 says=data_race : -- create_attributes
 * check: complete traces=2 says=data_race : -- c11_create
 * check: complete traces=2 says=data_race : -- mutex_attributes
 * check: complete says=data_race : -- deadline
 * check: complete says=data_race : -- joined_until
 * check: complete says=data_race : -- sleep_rest
 * check: complete says=data_race : -- message_length
 * check: complete says=data_race : -- message_name
 * check: complete says=data_race : -- dlopen
 * check: complete says=data_race : -- dlsym
 * check: complete says=data_race : -- spawn
 * check: complete says=data_race : -- memalign
 * check: complete says=data_race : -- localeconv
 * check: complete says=data_race : -- scandir
 * check: complete says=data_race : -- prlimit
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static union {
	char text[256];
	pthread_t thread;
	pthread_attr_t attributes;
	pthread_mutexattr_t kind;
	struct timespec time;
	struct mmsghdr message;
	void *block;
	struct dirent **entries;
	struct rlimit limit;
	struct sockaddr_storage from;
} memory;

static char *words[] = {"true", memory.text, NULL};
static const char *how;
static pthread_mutex_t mutex;
static sem_t sem;
static int fd[2];

static void *nothing(void *arg)
{
	return arg;
}

static int nothing11(void *arg)
{
	return 0;
}

static void handler(int sig)
{
}

static int is(const char *name)
{
	return !strcmp(how, name);
}

static void *call(void *arg)
{
	char byte;
	struct iovec iov = {&byte, 1};
	struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1, .msg_name = &memory.from, .msg_namelen = sizeof(memory.from)};
	struct timespec second = {1, 0};
	pthread_t t;
	thrd_t t11;
	pid_t pid;

	if (is("create")) {
		pthread_create(&memory.thread, NULL, nothing, NULL);
		pthread_join(memory.thread, NULL);
	}
	if (is("create_attributes")) {
		pthread_create(&t, &memory.attributes, nothing, NULL);
		pthread_join(t, NULL);
	}
	if (is("c11_create")) {
		thrd_create(&memory.thread, nothing11, NULL);
		t11 = memory.thread;
		thrd_join(t11, NULL);
	}
	if (is("mutex_attributes"))
		pthread_mutex_init(&mutex, &memory.kind);
	if (is("deadline"))
		sem_timedwait(&sem, &memory.time);
	if (is("joined_until")) {
		pthread_create(&t, NULL, nothing, NULL);
		if (pthread_timedjoin_np(t, NULL, &memory.time))
			pthread_join(t, NULL);
	}
	if (is("sleep_rest"))
		nanosleep(&second, &memory.time);
	if (is("message_length")) {
		memory.message.msg_hdr.msg_iov = &iov;
		memory.message.msg_hdr.msg_iovlen = 1;
		recvmmsg(fd[0], &memory.message, 1, 0, NULL);
	}
	if (is("message_name"))
		recvmsg(fd[0], &message, 0);
	if (is("dlopen"))
		dlopen(memory.text, RTLD_NOW);
	if (is("dlsym"))
		dlsym(RTLD_NEXT, memory.text);
	if (is("spawn") && !posix_spawnp(&pid, "true", NULL, NULL, words, NULL))
		waitpid(pid, NULL, 0);
	if (is("memalign") && !posix_memalign(&memory.block, 64, 64))
		free(memory.block);
	if (is("localeconv"))
		localeconv();
	if (is("scandir"))
		scandir("/", &memory.entries, NULL, alphasort);
	if (is("prlimit"))
		prlimit(0, RLIMIT_NOFILE, NULL, &memory.limit);
	return arg;
}

int main(int argc, char **argv)
{
	const char *p = (const char *)&memory;
	const struct sockaddr_un name = {AF_UNIX, "\0simul call_arguments"};
	struct sigaction action = {.sa_handler = handler};
	volatile char see;
	pthread_t t;

	how = argv[1];
	sigaction(SIGUSR1, &action, NULL);
	if (!strncmp(how, "message", 7))
		socketpair(AF_UNIX, SOCK_DGRAM, 0, fd);
	if (is("create_attributes"))
		pthread_attr_init(&memory.attributes);
	if (is("localeconv"))
		p = localeconv()->decimal_point ? (const char *)localeconv() : NULL;
	if (is("message_length"))
		p = (const char *)&memory.message.msg_len;
	if (is("message_name"))
		p = memory.text;
	pthread_create(&t, NULL, call, NULL);
	if (is("message_name") && bind(fd[1], (const struct sockaddr *)&name, sizeof(name)))
		return 1;
	if (!strncmp(how, "message", 7) && write(fd[1], "x", 1) != 1)
		return 1;
	if (is("sleep_rest"))
		pthread_kill(t, SIGUSR1);
	if (is("create_attributes"))
		pthread_attr_setguardsize(&memory.attributes, 8192);
	else if (is("mutex_attributes") || is("deadline") || is("joined_until") || is("dlopen") || is("dlsym") || is("spawn"))
		memory.text[0] = 0;
	else
		see = *p;
	(void)see;
	pthread_join(t, NULL);
	return 0;
}
