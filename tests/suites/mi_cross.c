/* A block is freed by another thread.
 * build: gcc -g -O1 -pthread -o mi_cross mi_cross.c -lmimalloc
 */
#include <mimalloc.h>
#define ALLOCATE mi_malloc
#define RELEASE mi_free
#include "allocator.h"

int main(void)
{
	return by_another_thread();
}
