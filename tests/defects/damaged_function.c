/* A library, or a program, of which one entry of the unwind information cannot be read. simul did not see the accesses of that function, and once
 * said `complete` without a word. With a table that names a wrong place nothing of the library is seen.
 * build: gcc -O1 -shared -fPIC -DLIBRARY @SRC@ -o @DIR@/part.so && python3 "$(dirname @SRC@)/damage_unwind.py" @DIR@/part.so last && gcc -g -O1 -pthread -DPROGRAM @SRC@ @DIR@/part.so -o @OUT@
 * build: gcc -O1 -shared -fPIC -DLIBRARY @SRC@ -o @DIR@/part.so && python3 "$(dirname @SRC@)/damage_unwind.py" @DIR@/part.so shifted && gcc -g -O1 -pthread -DPROGRAM @SRC@ @DIR@/part.so -o @OUT@
 * build: gcc -O1 -pthread -fno-toplevel-reorder -DLIBRARY -DPROGRAM @SRC@ -o @OUT@ && python3 "$(dirname @SRC@)/damage_unwind.py" @OUT@ last
 * check: complete says=except_for.*(add|part.so) : --
 */
int add(int n);

#ifdef PROGRAM
#include <pthread.h>

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

#ifdef LIBRARY
static volatile int count;

int sub(int n)
{
	return count -= n;
}

__attribute__((noinline)) int add(int n) /* the last one */
{
	return count += n;
}
#endif
