/* Accesses that simul enforce cannot hold back yet. argv[1]: string (a function of the C library that is neither on
   bytes nor on strings), long (a string of more than 256 bytes, which strdup reads again). */
#include "window.h"
static char text[8], what, copy[8], lengthy[400];

static void *work(void *p)
{
	if (what == 'l')
		free(strdup(memset(lengthy, 'y', 300)));
	else
		snprintf(copy, sizeof(copy), "%s", text);
	return p;
}

int main(int argc, char **argv)
{
	what = argv[1][0];
	memset(lengthy, 'x', 300);
	return run_two(work, work);
}
