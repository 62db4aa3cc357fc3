#include "preload/control/object_key.h"

#include <pthread.h>

#include "preload/base/state.h"
#include "preload/control/exceptions.h"
#include "preload/memory/aliases.h"
#include "preload/memory/object_memory.h"
#include "preload/base/rules.h"

#define MUTEX_SHARED 128 /* in __kind */
#define COND_SHARED 1    /* in __wrefs */

/* glibc's semaphore and barrier: a word that is not 0 if processes may share the object. */
#define SEM_SHARED 2
#define BARRIER_SHARED 3

/* Returns whether an initialised object works through several addresses. */
static bool is_shared(enum object_kind kind, const void *p)
{
	const pthread_mutex_t *m = p;
	const pthread_cond_t *c = p;
	const pthread_rwlock_t *l = p;
	const unsigned *word = p;

	if (kind == OBJ_MUTEX)
		return m->__data.__kind & MUTEX_SHARED;
	if (kind == OBJ_COND)
		return c->__data.__wrefs & COND_SHARED;
	if (kind == OBJ_RWLOCK)
		return l->__data.__shared;
	if (kind == OBJ_SEM)
		return word[SEM_SHARED];
	if (kind == OBJ_BARRIER)
		return word[BARRIER_SHARED];
	return kind == OBJ_SPIN; /* no thread sleeps */
}

uint64_t object_key(enum object_kind kind, const void *addr)
{
	uint64_t at = (uintptr_t)addr, key = object_memory_bytes[kind] ? alias_key(at) : at;

	if (key != at && world_find(ctl_world, kind, key) && !is_shared(kind, addr)) /* before its first use it may be about to be initialised */
		except_for(EXCEPT_MAPPED_TWICE, 0);
	return key;
}
