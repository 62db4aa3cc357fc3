/* Two threads count in memory that the program mapped. Replays loaded libunwind and searches did not, so the kernel placed mappings of 64 KiB to
 * 1 MiB elsewhere in a replay, and the bug was reported as not confirmed.
 * check: bug kind=assert replays=2 : -- 0x1000
 * check: bug kind=assert replays=2 : -- 0x10000
 * long: bug kind=assert replays=2 : -- 0x20000
 * check: bug kind=assert replays=2 : -- 0x100000
 * long: bug kind=assert replays=2 : -- 0x1000000
 * long: bug kind=assert replays=2 : --isolation exec -- 0x10000
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static int *count;

static void *work(void *arg)
{
	*count = *count + 1;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;
	size_t size = strtoul(argv[1], NULL, 0);
	count = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	assert(*count == 2);
	return 0;
}
