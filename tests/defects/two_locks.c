/* Two threads lock one mutex. This shows that the suite itself works.
 * check: complete traces=2 says=every_one_of_2_traces :
 * check: complete traces=2 : --model tso --
 */
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return a; }
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, f, 0);
	pthread_create(&b, 0, f, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
