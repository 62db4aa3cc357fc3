/* For the programs on libapr (apr_1.c, apr_2.c): calls that must succeed, threads with a pool of their own. */
#include <stdio.h>
#include <stdlib.h>

#include <apr_general.h>
#include <apr_hash.h>
#include <apr_pools.h>
#include <apr_strings.h>
#include <apr_thread_cond.h>
#include <apr_thread_mutex.h>
#include <apr_thread_proc.h>
#include <apr_thread_rwlock.h>

#define MUST(call)                                                                                 \
	do {                                                                                       \
		apr_status_t status_ = (call);                                                     \
		if (status_ != APR_SUCCESS) {                                                      \
			char text_[120];                                                           \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,              \
				apr_strerror(status_, text_, sizeof text_));                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

static inline apr_thread_t *spawn(apr_thread_start_t body, void *data, apr_pool_t *pool)
{
	apr_thread_t *t;

	MUST(apr_thread_create(&t, NULL, body, data, pool));
	return t;
}

/** Waits for the thread, whose body must have returned normally. */
static inline void finish(apr_thread_t *t)
{
	apr_status_t result;

	MUST(apr_thread_join(&result, t));
	MUST(result);
}

/** A pool with an allocator that belongs to it alone, which takes no lock. */
static inline apr_pool_t *own_pool(void)
{
	apr_allocator_t *allocator;
	apr_pool_t *pool;

	MUST(apr_allocator_create(&allocator));
	MUST(apr_pool_create_ex(&pool, NULL, NULL, allocator));
	apr_allocator_owner_set(allocator, pool);
	return pool;
}
