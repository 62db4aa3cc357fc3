/* More thread-local memory than the memory without access is large: the last byte lies far below it. */
#include "own.h"

static __thread char large[48 << 20];

static void *thread(void *arg)
{
	large[0] = large[sizeof(large) - 1] = (char)(long)arg;
	step();
	assert(large[0] == (char)(long)arg && large[sizeof(large) - 1] == (char)(long)arg);
	return NULL;
}

int main(void)
{
	in_threads(thread);
	return 0;
}
