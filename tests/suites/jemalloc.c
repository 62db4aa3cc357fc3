/* Two threads allocate and free.
 * build: gcc -g -O1 -pthread -o jemalloc jemalloc.c -ljemalloc
 */
#define ALLOCATE malloc
#define RELEASE free
#include "allocator.h"

int main(void)
{
	return in_two_threads();
}
