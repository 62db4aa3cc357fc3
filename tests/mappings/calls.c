/*
 * Threads that use four pages and make calls that change what is mapped there.
 *
 *   calls FD OPERATIONS...    a thread for each argument, in which each letter is an operation; writes the outcome to FD
 *   calls -FD OPERATIONS...   without threads: the outcome of each order of the operations, in a process of its own
 *
 * An outcome is a line: what each thread's operations returned, or the signal that ended the process. mappings.py compares both.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 4
#define PAGE 4096
#define BOTH (PROT_READ | PROT_WRITE)
#define NEW (MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED)

static const char *ops[MOST];
static char results[MOST][64];
static int n, file;
static volatile char *a, *f; /* two pages each: anonymous memory, and a file that is mapped with MAP_SHARED */

static void must(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(99);
	}
}

static char status(int result)
{
	return result ? '-' : '+';
}

static char mapped(const void *p)
{
	return p == MAP_FAILED ? '-' : '+';
}

static char set(volatile char *p, char to)
{
	*p = to;
	return '.';
}

static char perform(int t, char op)
{
	char value = (char)('1' + t);

	switch (op) {
	case 'r': return a[8];
	case 'R': return a[PAGE + 8];
	case 'w': return set(a + 8, value);
	case 'W': return set(a + PAGE + 8, value);
	case 'u': return status(munmap((void *)a, PAGE));
	case 'U': return status(munmap((void *)a, 2 * PAGE));
	case 'm': return mapped(mmap((void *)a, PAGE, BOTH, NEW, -1, 0));
	case 'M': return mapped(mmap((void *)a, 2 * PAGE, BOTH, NEW, -1, 0));
	case 'p': return status(mprotect((void *)a, PAGE, PROT_NONE));
	case 'o': return status(mprotect((void *)a, PAGE, PROT_READ));
	case 'q': return status(mprotect((void *)a, PAGE, BOTH));
	case 'Q': return status(mprotect((void *)a, 2 * PAGE, BOTH));
	case 'd': return status(madvise((void *)a, PAGE, MADV_DONTNEED));
	case 'D': return status(madvise((void *)a, 2 * PAGE, MADV_DONTNEED));
	case 'v': return mapped(mremap((void *)a, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(a + PAGE)));
	case 's': return mapped(mremap((void *)a, 2 * PAGE, PAGE, 0));
	case 'x': return mapped(mremap((void *)a, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, (void *)(a + PAGE)));
	case 'f': return f[8];
	case 'F': return f[PAGE + 8];
	case 'g': return set(f + 8, value);
	case 'G': return set(f + PAGE + 8, value);
	case 't': return status(ftruncate(file, 0));
	case 'T': return status(ftruncate(file, PAGE));
	case 'e': return status(ftruncate(file, 2 * PAGE));
	case 'h': return status(fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, PAGE, PAGE));
	case 'l': return status(posix_fallocate(file, 0, 2 * PAGE));
	case 'n': return status(munmap((void *)f, 2 * PAGE));
	case 'N': return mapped(mmap((void *)f, 2 * PAGE, BOTH, MAP_SHARED | MAP_FIXED, file, 0));
	case 'y': return mapped(mmap((void *)f, PAGE, BOTH, NEW, -1, 0));
	default: abort();
	}
}

static void *run(void *which)
{
	int t = (int)(long)which;

	for (int i = 0; ops[t][i]; i++)
		results[t][i] = perform(t, ops[t][i]);
	return NULL;
}

static void prepare(void)
{
	a = mmap(0, 4 * PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	file = memfd_create("file", 0);
	must(a != MAP_FAILED && file >= 0 && ftruncate(file, 2 * PAGE) == 0, "memory");
	f = mmap(0, 2 * PAGE, BOTH, MAP_SHARED, file, 0);
	must(f != MAP_FAILED, "mmap");
	a += PAGE; /* nothing else is beside these pages */
	for (int i = 0; i < 2; i++)
		a[i * PAGE + 8] = f[i * PAGE + 8] = 'i';
}

static void finish(int fd)
{
	char line[300] = "";

	for (int t = 0; t < n; t++) {
		for (char *c = results[t]; c < results[t] + strlen(ops[t]); c++)
			*c = *c ? *c : '0';
		strcat(strcat(line, results[t]), " ");
	}
	strcat(line, "\n");
	must(write(fd, line, strlen(line)) == (ssize_t)strlen(line), "write");
}

/* Makes the calls in one order, in a process of its own. */
static void order(int fd, const char *schedule)
{
	int at[MOST] = {0}, s;
	pid_t child = fork();

	if (!child) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		prepare();
		for (const char *c = schedule; *c; c++) {
			int t = *c - '0';

			results[t][at[t]] = perform(t, ops[t][at[t]]);
			at[t]++;
		}
		finish(fd);
		_exit(0);
	}
	must(waitpid(child, &s, 0) == child, "waitpid");
	if (WIFSIGNALED(s))
		dprintf(fd, "SIG%s\n", sigabbrev_np(WTERMSIG(s)));
	else
		must(s == 0, "an order");
}

static void orders(int fd, char *schedule, int length, int at[MOST])
{
	int more = 0;

	for (int t = 0; t < n; t++) {
		if (!ops[t][at[t]])
			continue;
		more = 1;
		schedule[length] = (char)('0' + t);
		at[t]++;
		orders(fd, schedule, length + 1, at);
		at[t]--;
	}
	if (!more) {
		schedule[length] = 0;
		order(fd, schedule);
	}
}

int main(int argc, char **argv)
{
	pthread_t t[MOST];
	char schedule[64];
	int fd = atoi(argv[1]), at[MOST] = {0};

	n = argc - 2;
	must(n >= 1 && n <= MOST, "arguments");
	for (int i = 0; i < n; i++)
		ops[i] = argv[2 + i];
	if (fd < 0) {
		orders(-fd, schedule, 0, at);
		return 0;
	}
	prepare();
	for (long i = 1; i < n; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	run((void *)0);
	for (int i = 1; i < n; i++)
		pthread_join(t[i], NULL);
	finish(fd);
	return 0;
}
