/*
 * Keys of thread-specific data. This library has keys of its own, as simul has in the search (preload/hooks/hook_key.c), so that keys get
 * the same numbers, and each use, creation and deletion of a key makes the same accesses to the byte that stands for it. Nothing is at that
 * address here; the certificate orders the accesses. Threads run in parallel, so the table is changed by atomic operations.
 *
 * The values of a thread lie in its thread-local memory and in blocks of their own. A real key has the destructors run.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include <unistd.h>

#include "base/state_places.h"
#include "enforce/lib/gate.h"
#include "enforce/lib/hook_malloc.h"
#include "enforce/lib/memory.h"
#include "enforce/lib/real.h"
#include "preload/accesses/mem.h"

#define BLOCK 32
#define BLOCKS (PTHREAD_KEYS_MAX / BLOCK)
#define PLACE 8 /* bytes from one key to the next, as in preload/accesses/key_state.c */

static struct key {
	uintptr_t seq; /* odd: the key is in use. A value with another seq belongs to a deleted key */
	void (*destructor)(void *);
} keys[PTHREAD_KEYS_MAX];

struct value {
	uintptr_t seq;
	void *value;
};
static __thread struct value first[BLOCK];
static __thread struct value *more[BLOCKS];
static __thread bool ends_with_values; /* the real key has a value in this thread */
static pthread_key_t real_key;

/* ---- this library's keys, or libc's ---- */

static enum { UNDECIDED, OURS, LIBCS } whose;

static void thread_ends(void *unused);

/* The first call may come before the constructor of this library (init.c), which removes PLAN_ENV. */
static bool decide(void)
{
	bool ours = gate_owns;

	for (char **v = environ; v && *v && !gate_ready; v++)
		ours |= !strncmp(*v, PLAN_ENV "=", sizeof(PLAN_ENV));
	whose = ours && !REAL(pthread_key_create)(&real_key, thread_ends) ? OURS : LIBCS;
	return whose == OURS;
}

static inline bool ours(void)
{
	return whose == OURS || (whose == UNDECIDED && decide());
}

/* ---- events ---- */

/* Waits until the access to the key's byte may be performed. Returns whether memory_range_end must follow it. */
static bool begin(unsigned key, unsigned flags)
{
	uint64_t at = KEYS_AT + (uint64_t)key * PLACE;

	return memory_shared(at, 1) && memory_range_begin(at, 1, flags);
}

/* The thread looks for the key. Returns its state. */
static uintptr_t look(unsigned key)
{
	bool mine = begin(key, MEM_READ);
	uintptr_t seq = __atomic_load_n(&keys[key].seq, __ATOMIC_ACQUIRE);

	memory_range_end(mine);
	return seq;
}

/* Changes the key from the state `from` to the next one. Returns whether it was in that state. */
static bool change(unsigned key, uintptr_t from)
{
	bool mine = begin(key, MEM_READ | MEM_WRITE);
	bool changed = __atomic_compare_exchange_n(&keys[key].seq, &from, from + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);

	memory_range_end(mine);
	return changed;
}

static uintptr_t state(unsigned key)
{
	return __atomic_load_n(&keys[key].seq, __ATOMIC_ACQUIRE);
}

/* ---- values ---- */

static struct value *block_of(unsigned key)
{
	return key < BLOCK ? first : more[key / BLOCK];
}

/* Returns the place of the calling thread's value; NULL: there is no memory. */
static struct value *make_place(unsigned key)
{
	struct value **block = &more[key / BLOCK];

	if (key >= BLOCK && !*block) {
		void *p = REAL(mmap)(NULL, BLOCK * sizeof(struct value), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			return NULL;
		*block = p;
	}
	return &block_of(key)[key % BLOCK];
}

static int set_value(pthread_key_t key, void *value)
{
	uintptr_t seq = key < PTHREAD_KEYS_MAX ? look(key) : 0;
	struct value *at;

	if (!(seq & 1))
		return EINVAL;
	if (!value && !block_of(key))
		return 0;
	if (!ends_with_values && REAL(pthread_setspecific)(real_key, (void *)1))
		return ENOMEM;
	ends_with_values = true;
	if (!(at = make_place(key)))
		return ENOMEM;
	*at = (struct value){seq, value};
	return 0;
}

static void *get_value(pthread_key_t key)
{
	const struct value *block = key < PTHREAD_KEYS_MAX ? block_of(key) : NULL, *at;

	if (!block)
		return NULL;
	at = &block[key % BLOCK];
	if (!at->value)
		return NULL;
	return at->seq == look(key) ? at->value : NULL;
}

/* ---- keys ---- */

static bool take(unsigned key)
{
	uintptr_t seq = look(key);

	return !(seq & 1) && change(key, seq);
}

static int create(pthread_key_t *key, void (*destructor)(void *))
{
	for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) {
		bool mine;

		if (!take(i))
			continue;
		__atomic_store_n(&keys[i].destructor, destructor, __ATOMIC_RELEASE);
		mine = memory_shared((uintptr_t)key, sizeof(*key)) && memory_range_begin((uintptr_t)key, sizeof(*key), MEM_WRITE);
		*key = i;
		memory_range_end(mine);
		return 0;
	}
	return EAGAIN;
}

static int delete(pthread_key_t key)
{
	uintptr_t seq;

	if (key >= PTHREAD_KEYS_MAX)
		return EINVAL;
	seq = state(key);
	if (!(seq & 1))
		seq = look(key);
	return seq & 1 && change(key, seq) ? 0 : EINVAL;
}

/* ---- the end of a thread ---- */

/* Does one round: clears each value and calls its destructor. Returns whether a destructor was called. */
static bool run_round(void)
{
	bool any = false;

	for (unsigned k = 0; k < PTHREAD_KEYS_MAX; k++) {
		struct value *block = block_of(k), *at = block ? &block[k % BLOCK] : NULL;
		void (*destructor)(void *) = __atomic_load_n(&keys[k].destructor, __ATOMIC_ACQUIRE);
		void *value = at ? at->value : NULL;
		uintptr_t seq;

		if (!value)
			continue;
		at->value = NULL;
		seq = state(k);
		if (destructor || seq > at->seq + 1)
			seq = look(k);
		if (at->seq == seq && destructor) {
			any = true;
			destructor(value);
		}
	}
	return any;
}

static void thread_ends(void *unused)
{
	REAL(pthread_setspecific)(real_key, (void *)1); /* the destructors may set values */
	for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && run_round(); i++)
		;
	REAL(pthread_setspecific)(real_key, NULL);
	ends_with_values = false;
	for (unsigned i = 0; i < BLOCKS; i++)
		if (more[i])
			munmap(more[i], BLOCK * sizeof(struct value));
	memset(more, 0, sizeof(more));
}

/* ---- the names ---- */

EXPORT int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	return ours() ? create(key, destructor) : REAL(pthread_key_create)(key, destructor);
}

EXPORT int pthread_key_delete(pthread_key_t key)
{
	return ours() ? delete(key) : REAL(pthread_key_delete)(key);
}

/* In the search, what libc allocates for values is not the program's. */
EXPORT int pthread_setspecific(pthread_key_t key, const void *value)
{
	return ours() ? set_value(key, (void *)value) : HEAP_AS_LIBC(REAL(pthread_setspecific)(key, value));
}

EXPORT void *pthread_getspecific(pthread_key_t key)
{
	return ours() ? get_value(key) : REAL(pthread_getspecific)(key);
}

int __pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
EXPORT int __pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	return pthread_key_create(key, destructor);
}

int __pthread_setspecific(pthread_key_t key, const void *value);
EXPORT int __pthread_setspecific(pthread_key_t key, const void *value)
{
	return pthread_setspecific(key, value);
}

void *__pthread_getspecific(pthread_key_t key);
EXPORT void *__pthread_getspecific(pthread_key_t key)
{
	return pthread_getspecific(key);
}

EXPORT int tss_create(tss_t *key, tss_dtor_t destructor)
{
	return pthread_key_create(key, destructor) ? thrd_error : thrd_success;
}

EXPORT void tss_delete(tss_t key)
{
	pthread_key_delete(key);
}

EXPORT void *tss_get(tss_t key)
{
	return pthread_getspecific(key);
}

EXPORT int tss_set(tss_t key, void *value)
{
	return pthread_setspecific(key, value) ? thrd_error : thrd_success;
}
