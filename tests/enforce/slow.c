/* The first thread comes late to the lock: when there is a file argv[1]; while simul searches it comes at once. A certificate of one execution makes
   the second thread wait for it; when all is explored it need not. Each says when it got there. While simul searches and there is a file argv[2], the
   program does more. LONG=1 in the environment: an execution of the search takes some hundredths of a second. */
#include <string.h>
#include "simul.h"
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *file;
static void *work(void *name)
{
	while (!simul_running() && !strcmp(name, "first") && access(file, F_OK))
		usleep(1000);
	pthread_mutex_lock(&lock);
	fprintf(stderr, "%s\n", (char *)name);
	pthread_mutex_unlock(&lock);
	return name;
}
static void take_long(void)
{
	for (char **v = environ; *v && simul_running(); v++)
		if (!strcmp(*v, "LONG=1"))
			for (volatile long i = 0; i < 30000000; i++)
				;
}
int main(int argc, char **argv)
{
	pthread_t t[2];

	file = argv[1];
	pthread_create(&t[0], NULL, work, "first");
	pthread_create(&t[1], NULL, work, "second");
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	take_long();
	if (argc > 2 && simul_running() && !access(argv[2], F_OK)) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
