/* Libraries that wrap a function of libc that has a hook. */
#ifndef SIMUL_WRAPPERS_H
#define SIMUL_WRAPPERS_H

#include <pthread.h>

typedef int (*pthread_create_fn)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* The hook of pthread_create calls real_pthread_create, which is the wrapper if a library has one. When that library looks up the function
   that it wraps, dlsym returns the hook, so that simul sees the threads that the library itself creates. This function returns libc's
   pthread_create if `caller` is code of that library: the hook must call it if it does not model the call. Else returns NULL. */
pthread_create_fn wrapped_pthread_create(const void *caller);

#endif
