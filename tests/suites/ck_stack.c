/* Ck_stack, push and pop by two threads.
 * build: gcc -g -O1 -pthread -o ck_stack ck_stack.c -lck
 */
#include "two.h"
#include <ck_stack.h>
static ck_stack_t s = CK_STACK_INITIALIZER;
static ck_stack_entry_t k[2];
static void *f(void *a)
{
	ck_stack_push_mpmc(&s, &k[(long)a - 1]);
	ck_stack_entry_t *e = ck_stack_pop_upmc(&s);
	assert(e);
	return 0;
}

int main()
{
	TWO(f);
	assert(!ck_stack_pop_npsc(&s));
}
