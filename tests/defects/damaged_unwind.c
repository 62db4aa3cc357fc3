/* A program whose header gives a wrong address for the unwind table. The program itself does not need this table, but simul reads it to patch the code.
 * simul once handled the fault of this read again and again, until a limit of 100 seconds.
 * build: gcc -g -O1 -pthread -o @OUT@ @SRC@ && python3 "$(dirname @SRC@)/damage_unwind.py" @OUT@
 * check: complete traces=2 says=damaged never=crash : --
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *set(void *u)
{
	pthread_mutex_lock(&lock);
	x = 1;
	pthread_mutex_unlock(&lock);
	return u;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, set, NULL);
	pthread_mutex_lock(&lock);
	int seen = x;
	pthread_mutex_unlock(&lock);
	assert(seen < 2);
	pthread_join(t, NULL);
	return 0;
}
