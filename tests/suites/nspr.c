/* PRMonitor, two threads.
 * build: gcc -g -O1 -pthread -o nspr nspr.c $(pkg-config --cflags --libs nspr)
 */
#include "two.h"
#include <nspr/nspr.h>
static PRMonitor *m;
static int n;
static void f(void *a)
{
	PR_EnterMonitor(m);
	n++;
	PR_NotifyAll(m);
	PR_ExitMonitor(m);
}

int main()
{
	m = PR_NewMonitor();
	PRThread *t[2];
	for (int i = 0; i < 2; i++)
		t[i] = PR_CreateThread(PR_USER_THREAD, f, 0, PR_PRIORITY_NORMAL, PR_GLOBAL_THREAD,
			PR_JOINABLE_THREAD, 0);
	PR_EnterMonitor(m);
	while (n < 2)
		PR_Wait(m, PR_INTERVAL_NO_TIMEOUT);
	PR_ExitMonitor(m);
	PR_JoinThread(t[0]);
	PR_JoinThread(t[1]);
	PR_DestroyMonitor(m);
	PR_Cleanup();
}
