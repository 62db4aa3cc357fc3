/*
 * A cache, on the Apache Portable Runtime: a hash table with copies of names in a pool, behind a reader-writer lock. Each thread looks up
 * a few names and inserts those that are missing. It looks again when it holds the lock for writing, so each name is created once. The threads
 * allocate their data in their own pools, below the pool that they were started with. These pools share an allocator, which has a mutex.
 */
#include <assert.h>
#include <string.h>

#include "apr.h"

#ifndef LOOKUPS
#define LOOKUPS 5
#endif
#ifndef THREADS
#define THREADS 2
#endif
#define NAMES 2

struct cache {
	apr_pool_t *pool; /* only the thread that holds the lock for writing allocates from it */
	apr_thread_rwlock_t *lock;
	apr_hash_t *names;
	int made;
};

static const int *find(struct cache *c, const char *name)
{
	const int *number;

	MUST(apr_thread_rwlock_rdlock(c->lock));
	number = apr_hash_get(c->names, name, APR_HASH_KEY_STRING);
	MUST(apr_thread_rwlock_unlock(c->lock));
	return number;
}

static const int *find_or_make(struct cache *c, const char *name)
{
	int *number = (int *)find(c, name);

	if (number)
		return number;
	MUST(apr_thread_rwlock_wrlock(c->lock));
	number = apr_hash_get(c->names, name, APR_HASH_KEY_STRING);
	if (!number) {
		number = apr_palloc(c->pool, sizeof *number);
		*number = ++c->made;
		apr_hash_set(c->names, apr_pstrdup(c->pool, name), APR_HASH_KEY_STRING, number);
	}
	MUST(apr_thread_rwlock_unlock(c->lock));
	return number;
}

static void *APR_THREAD_FUNC user(apr_thread_t *self, void *data)
{
	struct cache *c = data;
	apr_pool_t *scratch = apr_thread_pool_get(self);
	const int *seen[NAMES] = { NULL };

	for (int n = 0; n < LOOKUPS; n++) {
		int which = n % NAMES;
		const int *number = find_or_make(c, apr_psprintf(scratch, "name %d", which));

		assert(*number >= 1 && *number <= NAMES);
		assert(!seen[which] || seen[which] == number);
		seen[which] = number;
	}
	return NULL;
}

int main(void)
{
	struct cache cache = { 0 };
	apr_thread_t *threads[THREADS];
	apr_pool_t *pool;

	MUST(apr_initialize());
	MUST(apr_pool_create(&pool, NULL));
	cache.pool = own_pool();
	MUST(apr_thread_rwlock_create(&cache.lock, cache.pool));
	cache.names = apr_hash_make(cache.pool);
	for (int i = 0; i < THREADS; i++)
		threads[i] = spawn(user, &cache, pool);
	for (int i = 0; i < THREADS; i++)
		finish(threads[i]);
	assert(cache.made == NAMES && apr_hash_count(cache.names) == NAMES);
	apr_pool_destroy(cache.pool);
	apr_pool_destroy(pool);
	apr_terminate();
	return 0;
}
