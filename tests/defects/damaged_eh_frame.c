/* A library whose unwind information cannot be read, since its first entry is damaged. simul saw none of its accesses, explored one trace,
 * and once said `complete` without naming the library.
 * build: gcc -O1 -shared -fPIC -DLIBRARY @SRC@ -o @DIR@/part.so && python3 "$(dirname @SRC@)/damage_unwind.py" @DIR@/part.so entry && gcc -g -O1 -pthread @SRC@ @DIR@/part.so -o @OUT@
 * check: complete says=except_for.*part.so : --
 */
#ifdef LIBRARY
static volatile int count;

int add(int n)
{
	return count += n;
}
#else
#include <pthread.h>

int add(int n);

static void *use(void *arg)
{
	add(1);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, use, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
#endif
