/* Loads the library that the file `which` names. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *work(void *arg)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	char name[512] = "";
	pthread_t t[3];
	FILE *f = fopen("which", "r");

	if (!f || !fgets(name, sizeof(name), f))
		return 1;
	fclose(f);
	name[strcspn(name, "\n")] = 0;
	if (!dlopen(name, RTLD_NOW))
		return 1;
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
