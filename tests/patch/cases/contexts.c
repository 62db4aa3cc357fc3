/* Stacks that are switched by hand, processes that fork, constructors, functions chosen at load time. */
#include "case.h"

#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static ucontext_t main_context, generator;
static int produced, constructed = 7;

static void produce(int a, int b)
{
	int x = a, y = b;
	for (;;) {
		produced = x;
		swapcontext(&generator, &main_context);
		int next = x + y;
		x = y;
		y = next;
	}
}
static void __attribute__((constructor)) before_main(void) { constructed *= 3; }
static int chosen_a(int x) { constructed++; return x + 1; }
static int (*resolve(void))(int) { return chosen_a; }
int torture_chosen(int x) __attribute__((ifunc("resolve")));
__attribute__((weak)) int torture_weak(int x);
NOINLINE int torture_weak(int x) { constructed += x; return constructed; }

static void at_the_end(void) { printf("atexit %d\n", constructed); fflush(stdout); }

CASE(contexts)
{
	static char stack[65536];
	uint64_t h = 0;
	getcontext(&generator);
	generator.uc_stack.ss_sp = stack;
	generator.uc_stack.ss_size = sizeof(stack);
	generator.uc_link = &main_context;
	makecontext(&generator, (void (*)(void))produce, 2, 1, 2);
	for (int i = 0; i < 40; i++) {
		swapcontext(&main_context, &generator);
		h = mix(h, (uint64_t)(unsigned)produced);
	}
	result("generator", h);
	printf("constructed %d chosen %d weak %d\n", constructed, torture_chosen(4), torture_weak(2));
	fflush(stdout);
	int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), status = 0;
	pid_t pid = fork();
	if (!pid) {
		shared[0] = (int)(h & 0xffff);
		__atomic_fetch_add(&shared[1], 5, __ATOMIC_SEQ_CST);
		_exit(shared[1]);
	}
	waitpid(pid, &status, 0);
	printf("fork %d %d\n", WEXITSTATUS(status), shared[0]);
	pid = vfork();
	if (!pid) {
		shared[2]++;
		execl("/bin/true", "true", (char *)NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("vfork %d %d\n", status, shared[2]);
	FILE *f = popen("echo from a pipe", "r");
	char line[64] = "";
	if (f && fgets(line, sizeof(line), f))
		printf("popen %s", line);
	if (f)
		pclose(f);
	printf("system %d\n", system("exit 3") >> 8);
	atexit(at_the_end);
	munmap(shared, 4096);
}
