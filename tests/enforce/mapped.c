/* Memory that the program maps before it has threads, and in a thread: the reader fails to wait until it is written. */
#include <sys/mman.h>
#include "window.h"
static int *early, *volatile late;

static int *map(void)
{
	return mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *make(void *a)
{
	int *made = map();

	window(1);
	early[1] = 3;
	made[1024] = 4;
	late = made;
	return a;
}

static void *use(void *a)
{
	assert(late && late[1024] == 4 && early[1] == 3);
	return a;
}

int main(void)
{
	early = map();
	return run_two(make, use);
}
