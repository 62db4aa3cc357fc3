/* Executions that change more than memory, as argv[1] says. Each must find the state that the program left before the first thread. */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "check.h"

static DIR *directory;
static int pipes[2], priority;
static cpu_set_t processors;
static struct rlimit limit;

static void act(const char *what)
{
	char cwd[4096], byte = 'x';

	if (!strcmp(what, "file")) {
		FILE *f = fopen("made", "wx");
		CHECK(f && fputs("text\n", f) > 0 && fclose(f) == 0);
	} else if (!strcmp(what, "open")) {
		CHECK(open("/dev/null", O_RDONLY) == 3 + 3);
	} else if (!strcmp(what, "opendir")) {
		DIR *d = opendir("/");
		CHECK(d && dirfd(d) == 3 + 3);
	} else if (!strcmp(what, "closedir")) {
		CHECK(closedir(directory) == 0);
	} else if (!strcmp(what, "chdir")) {
		CHECK(getcwd(cwd, sizeof(cwd)) && strcmp(cwd, "/") && chdir("/") == 0 && chdir("/usr") == 0);
	} else if (!strcmp(what, "umask")) {
		CHECK(umask(0) == 027 && umask(077) == 0);
	} else if (!strcmp(what, "processors")) {
		cpu_set_t set, one;
		CHECK(sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_EQUAL(&set, &processors));
		int cpu = 0;
		while (!CPU_ISSET(cpu, &set))
			cpu++;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		CHECK(pthread_setaffinity_np(pthread_self(), sizeof(one), &one) == 0 && sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_EQUAL(&set, &one));
	} else if (!strcmp(what, "policy")) {
		struct sched_param none = { 0 };
		CHECK(sched_getscheduler(0) == SCHED_OTHER && sched_setscheduler(0, SCHED_BATCH, &none) == 0);
	} else if (!strcmp(what, "nice")) { /* may be put back with a privilege only */
		CHECK(getpriority(PRIO_PROCESS, 0) == priority && nice(1) == priority + 1);
	} else if (!strcmp(what, "limit")) {
		struct rlimit now;
		CHECK(getrlimit(RLIMIT_CORE, &now) == 0 && now.rlim_cur == limit.rlim_cur && now.rlim_max == limit.rlim_max);
		now.rlim_cur = 4096;
		CHECK(setrlimit(RLIMIT_CORE, &now) == 0);
		CHECK(prlimit(0, RLIMIT_CORE, NULL, &now) == 0 && now.rlim_cur == 4096);
	} else if (!strcmp(what, "name")) {
		char name[16];
		CHECK(prctl(PR_GET_NAME, name) == 0 && !strcmp(name, "kernel") && prctl(PR_SET_NAME, "another") == 0);
	} else if (!strcmp(what, "mmap")) {
		unsigned char *p = mmap(NULL, 40000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		CHECK(p != MAP_FAILED && p[39999] == 0);
		memset(p, 1, 40000);
	} else if (!strcmp(what, "process")) {
		pid_t pid = fork();
		if (pid == 0)
			_exit(0);
		CHECK(waitpid(pid, NULL, 0) == pid);
	} else if (!strcmp(what, "pipe")) {
		CHECK(write(pipes[1], &byte, 1) == 1);
		CHECK(fcntl(pipes[0], F_SETFL, O_NONBLOCK) == 0 && read(pipes[0], &byte, 1) == 1 && read(pipes[0], &byte, 1) < 0);
		CHECK(write(pipes[1], &byte, 1) == 1);
	}
}

static void *body(void *arg)
{
	take_turns(2);
	return NULL;
}

int main(int argc, char **argv)
{
	directory = opendir("/");
	umask(027);
	priority = getpriority(PRIO_PROCESS, 0);
	CHECK(sched_getaffinity(0, sizeof(processors), &processors) == 0 && getrlimit(RLIMIT_CORE, &limit) == 0);
	limit.rlim_cur = limit.rlim_max < 8192 ? limit.rlim_max : 8192;
	CHECK(setrlimit(RLIMIT_CORE, &limit) == 0);
	CHECK(pipe(pipes) == 0);
	run_two(body);
	act(argv[1]);
	return 0;
}
