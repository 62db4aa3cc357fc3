/* Common header of these programs: a mutex m, two more, and sections. */
#include "golden.h"

/* Not every program uses all of them. */
__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

#define LOCK(x) pthread_mutex_lock(&(x))
#define TRYLOCK(x) (pthread_mutex_trylock(&(x)) == 0)
#define UNLOCK(x) pthread_mutex_unlock(&(x))
/* Adds n to the shared variable, with a load and a store. */
#define ADD(x, n) do { int v_ = LD(x); U(v_); ST(x, v_ + (n)); } while (0)
/* The number of the thread, with RUN. */
#define ME ((int)(intptr_t)arg)
