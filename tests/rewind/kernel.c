/* Executions that change more than memory, as argv[1] says. Each must find the state that the program left before the first thread. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "check.h"

static DIR *directory;
static int pipes[2];

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
		CHECK(getcwd(cwd, sizeof(cwd)) && strcmp(cwd, "/") && chdir("/") == 0);
	} else if (!strcmp(what, "umask")) {
		CHECK(umask(0) == 027);
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
	CHECK(pipe(pipes) == 0);
	run_two(body);
	act(argv[1]);
	return 0;
}
