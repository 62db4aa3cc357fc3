/* PR_CallOnce, two threads.
 * build: gcc -g -O1 -pthread -o nspr_cache nspr_cache.c $(pkg-config --cflags --libs nspr)
 */
#include "two.h"
#include <nspr/nspr.h>
static PRCallOnceType o;
static int n;
static PRStatus ini(void)
{
	n++;
	return PR_SUCCESS;
}

static void f(void *a)
{
	assert(PR_CallOnce(&o, ini) == PR_SUCCESS);
	assert(n == 1);
}

int main()
{
	PRThread *t[2];
	for (int i = 0; i < 2; i++)
		t[i] = PR_CreateThread(PR_USER_THREAD, f, 0, PR_PRIORITY_NORMAL, PR_GLOBAL_THREAD,
			PR_JOINABLE_THREAD, 0);
	PR_JoinThread(t[0]);
	PR_JoinThread(t[1]);
	PR_Cleanup();
}
