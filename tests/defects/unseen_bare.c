/* A library without the table of functions that the patcher needs. The verdict says that its accesses are not seen if threads execute its code. It
 * does not say so if the library is only loaded, or if the first thread calls it before and after the other threads.
 * build: mkdir -p @DIR@/away && gcc -g -O1 -shared -fPIC -DLIBRARY -Wl,--no-eh-frame-hdr @SRC@ -o @DIR@/away/libbare.so && gcc -g -O1 -pthread @SRC@ @DIR@/away/libbare.so -o @OUT@
 * check: complete says=which_are_not_seen : -- threads
 * check: complete never=except_for : -- alone
 * long: complete says=which_are_not_seen : --isolation exec -- threads
 * long: complete says=which_are_not_seen : --isolation fork -- threads
 * long: complete never=except_for : --isolation exec -- alone
 * long: complete never=except_for : --isolation fork -- alone
 */
#include <pthread.h>
#include <string.h>

int bare_get(void);

#ifdef LIBRARY
static int value;

int bare_get(void)
{
	return value;
}
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls, in_threads;

static void *run(void *unused)
{
	pthread_mutex_lock(&mutex);
	calls += in_threads ? bare_get() : 1;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	in_threads = argc > 1 && !strcmp(argv[1], "threads");
	calls = bare_get();
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 2; i++)
			pthread_create(&t[i], NULL, run, NULL);
		for (int i = 0; i < 2; i++)
			pthread_join(t[i], NULL);
		if (!in_threads)
			calls += bare_get();
	}
	return 0;
}
#endif
