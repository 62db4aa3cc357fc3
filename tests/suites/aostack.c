/* Two threads push to and pop from AO_stack.
 * build: gcc -g -O1 -pthread -o aostack aostack.c -latomic_ops_gpl -latomic_ops
 */
#include "two.h"
#include <atomic_ops_stack.h>
static AO_stack_t s;
static AO_t k[2][2];
static void *f(void *a)
{
	AO_stack_push(&s, k[(long)a - 1]);
	assert(AO_stack_pop(&s));
	return 0;
}

int main()
{
	AO_stack_init(&s);
	TWO(f);
	assert(!AO_stack_pop(&s));
}
