/* Two threads allocate and free.
 * build: gcc -g -O1 -pthread -o mimalloc mimalloc.c -lmimalloc
 */
#include <mimalloc.h>
#define ALLOCATE mi_malloc
#define RELEASE mi_free
#include "allocator.h"

int main(void)
{
	return in_two_threads();
}
