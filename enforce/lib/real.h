/* The functions of libc that this library replaces. */
#ifndef SIMUL_ENFORCE_REAL_H
#define SIMUL_ENFORCE_REAL_H

#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))

/* The next function with that name, looked up once. Hooks may run before any constructor. */
#define REAL(name) \
	({ \
		static __typeof__(&name) found_; \
		__typeof__(&name) now_ = __atomic_load_n(&found_, __ATOMIC_RELAXED); \
		if (__builtin_expect(!now_, 0)) { \
			now_ = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
			__atomic_store_n(&found_, now_, __ATOMIC_RELAXED); \
		} \
		now_; \
	})

/* Like REAL, for a function of which libc also keeps an older version. */
#define REAL_VERSION(name, version) \
	({ \
		static __typeof__(&name) found_; \
		__typeof__(&name) now_ = __atomic_load_n(&found_, __ATOMIC_RELAXED); \
		if (__builtin_expect(!now_, 0)) { \
			now_ = (__typeof__(&name))dlvsym(RTLD_NEXT, #name, version); \
			__atomic_store_n(&found_, now_, __ATOMIC_RELAXED); \
		} \
		now_; \
	})

#endif
