/* Exits with status 1 in one order. A handler of exit locks a mutex. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *w(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return a; }
static void ended(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
int main(void) { pthread_t t; atexit(ended); pthread_create(&t,0,w,0); pthread_mutex_lock(&m); int y=x; pthread_mutex_unlock(&m); pthread_join(t,0); return y; }
