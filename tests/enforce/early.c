/* One thread writes into a room that another one provides. If it comes too early the word is lost, and nobody notices before the end. */
#include "window.h"
static char room[8];
static char *volatile place;
static void *provides(void *a)
{
	window(1);
	place = room;
	return a;
}
static void *fills(void *a)
{
	volatile char *p = place;

	if (p)
		*p = 'w';
	return a;
}
int main(void)
{
	run_two(provides, fills);
	assert(room[0] == 'w');
	return 0;
}
