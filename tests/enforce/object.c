/* Two users share an object whose count of users is a plain variable. One drops the last reference between the look and the use of the other. */
#include "window.h"
struct object { volatile int users, value; };
static struct object object = {1, 42};
static struct object *volatile current = &object;
static void *borrows(void *a)
{
	struct object *o = current;

	if (!o)
		return a;
	window(2);
	o->users++;
	assert(o->value == 42);
	o->users--;
	return a;
}
static void *drops(void *a)
{
	struct object *o = current;

	window(1);
	if (--o->users == 0) {
		current = NULL;
		o->value = -1;
	}
	return a;
}
int main(void) { return run_two(borrows, drops); }
