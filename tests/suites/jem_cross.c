/* A block is freed by another thread.
 * build: gcc -g -O1 -pthread -o jem_cross jem_cross.c -ljemalloc
 */
#define ALLOCATE malloc
#define RELEASE free
#include "allocator.h"

int main(void)
{
	return by_another_thread();
}
