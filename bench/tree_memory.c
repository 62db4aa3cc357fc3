/*
 * tree_memory FILE COMMAND...: runs the command and writes to FILE the largest sum, in kB, of the proportional set sizes (PSS) of it and
 * all its descendants. A page that n processes share counts 1/n for each, so that the sum is the memory in use. Sampled
 * every few milliseconds: a shorter peak may be missed. The exit status is the command's.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SAMPLE_NS 5000000
#define MOST 4096

static int parent_of(int pid)
{
	char path[64], line[512];
	int parent = -1;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *f = fopen(path, "r");
	if (!f)
		return -1;
	/* the name, in brackets, may contain any characters */
	const char *after = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	if (after)
		sscanf(after, ") %*c %d", &parent);
	fclose(f);
	return parent;
}

/* Returns 0 when the process has ended. */
static long pss_of(int pid)
{
	char path[64], line[256];
	long kb = 0;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", pid);
	FILE *f = fopen(path, "r");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "Pss: %ld kB", &kb) == 1)
			break;
	fclose(f);
	return kb;
}

static long sample(int root)
{
	static int pid[MOST], parent[MOST];
	static bool ours[MOST];
	size_t n = 0;
	long sum = 0;
	DIR *d = opendir("/proc");

	for (struct dirent *e; d && n < MOST && (e = readdir(d));) {
		pid[n] = atoi(e->d_name);
		if (pid[n] <= 0)
			continue;
		parent[n] = parent_of(pid[n]);
		ours[n] = pid[n] == root;
		n++;
	}
	if (d)
		closedir(d);
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < n && !ours[i]; k++)
				more |= ours[i] = ours[k] && parent[i] == pid[k];
	}
	for (size_t i = 0; i < n; i++)
		sum += ours[i] ? pss_of(pid[i]) : 0;
	return sum;
}

int main(int argc, char **argv)
{
	long peak = 0;
	int status;

	if (argc < 3)
		return 2;
	int pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (pid < 0)
		return 2;
	while (waitpid(pid, &status, WNOHANG) == 0) {
		long now = sample(pid);

		if (now > peak)
			peak = now;
		nanosleep(&(struct timespec){.tv_nsec = SAMPLE_NS}, NULL);
	}
	FILE *f = fopen(argv[1], "w");
	if (!f || fprintf(f, "%ld\n", peak) < 0 || fclose(f) != 0)
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
