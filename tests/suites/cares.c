/* Two threads make and destroy channels.
 * build: gcc -g -O1 -pthread -o cares cares.c -lcares
 */
#include "two.h"
#include <ares.h>
static void *f(void *a)
{
	ares_channel c;
	assert(!ares_init(&c));
	ares_destroy(c);
	return 0;
}

int main()
{
	ares_library_init(ARES_LIB_INIT_ALL);
	TWO(f);
	ares_library_cleanup();
}
