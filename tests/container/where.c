/* Prints where things lie, and fails: it must print the same in every process, wherever it runs. Arguments: how deep it recurses; "exec FILE":
   it becomes that program first. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static int in_data;

static int deep(int n)
{
	volatile char frame[4000];

	frame[0] = (char)n;
	return n ? deep(n - 1) + frame[0] * 0 + 1 : 0;
}

static void *thread(void *arg)
{
	printf("stack of the thread %p\n", (void *)&arg);
	return NULL;
}

static void show_secrets(void)
{
	const unsigned char *random = (const unsigned char *)getauxval(AT_RANDOM);

	printf("random bytes");
	for (int i = 0; i < 16; i++)
		printf(" %02x", random[i]);
	printf("\n");
}

static void show(char **argv)
{
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	struct rlimit r;

	exe[n > 0 ? n : 0] = 0;
	getrlimit(RLIMIT_STACK, &r);
	printf("program %p, its name %s, %s\n", (void *)&in_data, strrchr(exe, '/'), strrchr((char *)getauxval(AT_EXECFN), '/'));
	printf("loader %#lx, kernel %#lx, libc %p\n", getauxval(AT_BASE), getauxval(AT_SYSINFO_EHDR), (void *)printf);
	printf("stack %p, limit %ld, argument %p %s\n", (void *)&r, (long)r.rlim_cur, (void *)argv[0], getauxval(AT_PLATFORM) ? (char *)getauxval(AT_PLATFORM) : "");
	printf("brk %p\n", sbrk(4096));
	printf("block %p, large %p\n", malloc(10), malloc(5000000));
	printf("mapping %p\n", mmap(NULL, 100000, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 2 && !strcmp(argv[1], "exec")) {
		execl("/nowhere/at/all", "x", (char *)NULL); /* fails, and the program goes on */
		execv(argv[2], argv + 2);
		return 3;
	}
	show(argv);
	show_secrets();
	printf("depth %d\n", deep(argc > 1 ? atoi(argv[1]) : 10));
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	fflush(stdout);
	assert(argc == 0);
	return 0;
}
