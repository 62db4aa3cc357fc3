/* SV-COMP bigshot_p: one thread allocates, one writes; the second one does not wait. */
#include "bounded.h"

static mutex m = PTHREAD_MUTEX_INITIALIZER;
static char room[6];
static char *text;

THREAD(allocate)
{
	lock(&m);
	text = room;
	unlock(&m);
	return NULL;
}

THREAD(fill)
{
	lock(&m);
	if (text)
		text[0] = 'B';
	unlock(&m);
	return NULL;
}

int main(void)
{
	start(allocate, 0);
	start(fill, 0);
	join_all();
	assert(text && text[0] == 'B');
	return 0;
}
