/* Two threads have a counter for each processor, and find theirs with sched_getcpu, getcpu or the system call. Which
 * processor that was decided the kernel, so a recording did not replay where the program ran on another one.
 * check: bug kind=assert replays=3 : -- sched_getcpu
 * check: bug kind=assert replays=3 : -- getcpu
 * check: bug kind=assert replays=3 : -- syscall
 * check: bug kind=assert replays=3 : --threads kernel -- sched_getcpu
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int counter[1024];
static const char *how;

static unsigned processor(void)
{
	unsigned cpu = 0;

	if (!strcmp(how, "sched_getcpu"))
		return (unsigned)sched_getcpu();
	if (!strcmp(how, "getcpu"))
		assert(!getcpu(&cpu, NULL));
	else
		assert(!syscall(SYS_getcpu, &cpu, NULL, NULL));
	return cpu;
}

static void *count(void *unused)
{
	counter[processor() % 1024]++;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	cpu_set_t may;
	int sum = 0;

	assert(argc == 2);
	how = argv[1];
	assert(!sched_getaffinity(0, sizeof may, &may) && CPU_ISSET(processor(), &may));
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 1024; i++)
		sum += counter[i];
	assert(sum == 2);
	return 0;
}
