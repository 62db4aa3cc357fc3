/* A lock order inversion through a callback of a library. With -DLIB it is the library, which is stripped: its places
   are those of the program that called it. */
#include <pthread.h>
#ifdef LIB
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
void lib_with(void (*f)(void))
{
	pthread_mutex_lock(&inner);
	f();
	pthread_mutex_unlock(&inner);
}
void lib_enter(void)
{
	pthread_mutex_lock(&inner);
	pthread_mutex_unlock(&inner);
}
#else
void lib_with(void (*f)(void));
void lib_enter(void);
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static void callback(void)
{
	pthread_mutex_lock(&outer);
	pthread_mutex_unlock(&outer);
}
static void *worker(void *arg)
{
	lib_with(callback);
	return arg;
}
static void update(void)
{
	pthread_mutex_lock(&outer);
	lib_enter(); /* the line that a user needs */
	pthread_mutex_unlock(&outer);
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	update();
	pthread_join(t, 0);
	return 0;
}
#endif
