/*
 * Thread-specific data and C++ thread-local destructors.
 *
 * glibc could store the values of a fiber, but it runs destructors only when a kernel thread ends, and a fiber's kernel thread never does.
 * So simul has its own table of keys and values. simul uses this table from the first call on, because a library's constructor may create
 * keys before control begins.
 *
 *   under control    values are indexed by thread_id
 *   native child     of a fork: it may create kernel threads, so a real key points to the values of each. The thread that forked keeps its
 *                    values (keys_become_native)
 *   without simul    the hooks call the real functions
 */
#include <errno.h>
#include <limits.h>
#include <sys/mman.h>

#include "preload/accesses/key_state.h"
#include "preload/accesses/mem.h"
#include "preload/accesses/landing.h"
#include "preload/control/ctl.h"
#include "preload/hooks/keys.h"
#include "preload/hooks/sync.h"
#include "preload/base/real.h"
#include "preload/base/sys.h"
#include "preload/memory/round_state.h"

#include "preload/base/rules.h"

#define BLOCK 32
#define BLOCKS (PTHREAD_KEYS_MAX / BLOCK)

struct key {
	uint32_t seq; /* odd: the key is in use. A value with another seq belongs to a deleted key */
	void (*destructor)(void *);
	bool missed; /* a thread has looked for the key since it was deleted */
};
static struct key keys[PTHREAD_KEYS_MAX];

struct value {
	uintptr_t seq;
	void *value;
};
/* The values of one thread. A block is allocated when it gets its first value. */
struct values {
	struct value *block[BLOCKS];
};
static struct values *values_of[MAX_THREADS];

static enum { KEYS_UNDECIDED, KEYS_OURS, KEYS_REAL } whose;
static bool native;
static pthread_key_t native_key; /* a real key; its value is the struct values of a thread */

/* ---- simul's keys, or libc's ---- */

/* Returns whether simul keeps the keys. Without a session in the environment simul plays no part in this process. */
static bool decide(void)
{
	whose = real_getenv(SESSION_ENV) ? KEYS_OURS : KEYS_REAL;
	return whose == KEYS_OURS;
}

static inline bool ours(void)
{
	return whose == KEYS_OURS || (whose == KEYS_UNDECIDED && decide());
}

/* ---- values ---- */

static void *get_memory(size_t size)
{
	if (ctl_state == CTL_ON)
		return ctl_alloc(size);
	void *p = sys_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return sys_failed((long)p) ? NULL : p;
}

static struct values *values_of_caller(void)
{
	if (__builtin_expect(native, 0))
		return real_pthread_getspecific(native_key);
	return values_of[ctl_state == CTL_ON ? ctl_self() : 0];
}

static struct values *make_values(void)
{
	struct values *v = get_memory(sizeof(*v));

	if (!v)
		return NULL;
	if (native)
		real_pthread_setspecific(native_key, v);
	else
		values_of[ctl_state == CTL_ON ? ctl_self() : 0] = v;
	return v;
}

static bool is_in_use(pthread_key_t key)
{
	return key < PTHREAD_KEYS_MAX && (keys[key].seq & 1);
}

/* Reports that the thread looks for the key. */
static void look(pthread_key_t key, uintptr_t pc)
{
	key_touch(key, MEM_READ, pc);
	if (!is_in_use(key))
		keys[key].missed = true;
}

static int set_value(pthread_key_t key, const void *value, uintptr_t pc)
{
	if (key < PTHREAD_KEYS_MAX)
		look(key, pc);
	if (!is_in_use(key))
		return EINVAL;
	struct values *v = values_of_caller();

	if (!value && (!v || !v->block[key / BLOCK]))
		return 0;
	if (!v)
		v = make_values();
	if (!v)
		return ENOMEM;
	struct value **block = &v->block[key / BLOCK];

	if (!*block)
		*block = get_memory(BLOCK * sizeof(struct value));
	if (!*block)
		return ENOMEM;
	(*block)[key % BLOCK] = (struct value){keys[key].seq, (void *)value};
	return 0;
}

/* Like glibc, looks at the key only if the thread has a value for it. */
static void *get(pthread_key_t key, uintptr_t pc)
{
	if (key >= PTHREAD_KEYS_MAX)
		return NULL;
	struct values *v = values_of_caller();

	if (!v || !v->block[key / BLOCK])
		return NULL;
	struct value *at = &v->block[key / BLOCK][key % BLOCK];

	if (!at->value)
		return NULL;
	look(key, pc);
	return at->seq == keys[key].seq ? at->value : NULL;
}

/* ---- keys ---- */

/*
 * A byte stands for each key (accesses/key_state.h): calls that need the key read it, and the deletion writes it. So two threads meet there only if one
 * deletes the key and nothing orders the two. A key that is made counts as a new one, so threads that make keys for themselves do not meet; but not if
 * a thread looked for the deleted key, which might have found the new one. If the search sees the byte, creations meet there, too, with the deletion of
 * the key that had the number and with creations that passed it over.
 *
 * The first key with a number does not meet its later uses: a thread knows the number only from the variable that the creation wrote, and that write is
 * reported. If the creation is one step, it is reported before the key exists, so that a thread which reads the variable earlier may also use the number earlier; this use then
 * meets the creation (`missed`). So threads that hand over a key in a way that is not seen, as libraries do, meet nowhere.
 */

/* Returns whether the creation takes this key: like glibc, reads it, and takes it by a compare-and-swap. Other threads may run during both. */
static bool may_take(unsigned key, uintptr_t pc)
{
	if (key_is_shared(key))
		key_touch(key, MEM_READ, pc);
	else if (!is_in_use(key) && !keys[key].missed)
		key_is_new(key);
	if (is_in_use(key))
		return false;
	key_touch(key, MEM_READ | MEM_WRITE, pc);
	return !is_in_use(key);
}

static void change(unsigned key)
{
	keys[key].seq++;
	key_changed(key);
}

/* Returns whether the next creation has scheduling points of its own. With store buffers it empties one. */
static bool creation_is_seen(void)
{
	if (ctl_state == CTL_ON && ctl_session->config.settings.model != MODEL_SC)
		return true;
	for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) {
		if (key_is_shared(i))
			return true;
		if (!is_in_use(i))
			return false;
	}
	return false;
}

static int create(pthread_key_t *key, void (*destructor)(void *), uintptr_t pc)
{
	bool seen = creation_is_seen();

	if (!seen)
		range_touch(key, sizeof(*key), MEM_WRITE | MEM_HELD, pc);
	for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++)
		if (may_take(i, pc)) {
			if (!seen && !keys[i].seq && !keys[i].missed)
				key_is_new(i);
			change(i);
			keys[i].missed = false;
			keys[i].destructor = destructor;
			if (seen)
				range_put(key, &i, sizeof(*key), pc | RANGE_HELD);
			else
				*key = i;
			return 0;
		}
	return EAGAIN;
}

/* Like glibc, only reads a key that does not exist: with store buffers, that is no fence. */
static int delete(pthread_key_t key, uintptr_t pc)
{
	if (key >= PTHREAD_KEYS_MAX)
		return EINVAL;
	if (!is_in_use(key))
		look(key, pc);
	if (!is_in_use(key))
		return EINVAL;
	key_touch(key, MEM_READ | MEM_WRITE, pc);
	if (!is_in_use(key))
		return EINVAL;
	change(key);
	return 0;
}

/* ---- the end of a thread ---- */

/* Does one round: clears each value and calls its destructor. Returns whether a destructor was called. */
static bool run_round(struct values *v)
{
	bool any = false;

	for (unsigned k = 0; k < PTHREAD_KEYS_MAX; k++) {
		if (!v->block[k / BLOCK]) {
			k |= BLOCK - 1;
			continue;
		}
		struct value *at = &v->block[k / BLOCK][k % BLOCK];
		void *value = at->value;

		if (!value)
			continue;
		at->value = NULL;
		if (keys[k].destructor || keys[k].seq > at->seq + 1) /* else the end is the same, whether the key was deleted or not */
			look(k, 0);
		if (at->seq == keys[k].seq && keys[k].destructor) {
			any = true;
			keys[k].destructor(value);
		}
	}
	return any;
}

static void run_destructors(struct values *v)
{
	for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && v; i++)
		if (!run_round(v))
			break;
}

void keys_run_destructors(thread_id t)
{
	run_destructors(native ? real_pthread_getspecific(native_key) : values_of[t]);
}

/* The destructor of the real key, at the end of a kernel thread in a native child. v: its values. */
static void native_thread_ends(void *v)
{
	real_pthread_setspecific(native_key, v); /* the destructors may use their keys */
	run_destructors(v);
	real_pthread_setspecific(native_key, NULL);
}

void keys_become_native(void)
{
	if (native || !ours())
		return;
	struct values *v = values_of_caller();

	if (real_pthread_key_create(&native_key, native_thread_ends))
		return;
	native = true;
	real_pthread_setspecific(native_key, v);
}

/* ---- thread-local destructors ---- */

struct tls_dtor {
	void (*function)(void *);
	void *object;
	struct tls_dtor *next;
};
static struct tls_dtor *tls_dtors[MAX_THREADS]; /* the last one registered comes first */

/* glibc keeps the destructors of T0: it runs them in exit(), before the exit handlers. */
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso)
{
	if (ctl_state != CTL_ON || ctl_self() == 0)
		return real___cxa_thread_atexit_impl(function, object, dso);
	struct tls_dtor *d = ctl_alloc(sizeof(*d));

	*d = (struct tls_dtor){function, object, tls_dtors[ctl_self()]};
	tls_dtors[ctl_self()] = d;
	return 0;
}

void tls_dtors_run(thread_id t)
{
	while (tls_dtors[t]) {
		struct tls_dtor *d = tls_dtors[t];

		tls_dtors[t] = d->next; /* unlinked first, because the destructor may register another one */
		d->function(d->object);
		ctl_free(d, sizeof(*d));
	}
}

/* ---- the names ---- */

static int do_create(pthread_key_t *key, void (*destructor)(void *), const void *pc)
{
	if (!ours())
		return real_pthread_key_create(key, destructor);
	ctl_opaque();
	return create(key, destructor, (uintptr_t)pc);
}

static int do_delete(pthread_key_t key, const void *pc)
{
	if (!ours())
		return real_pthread_key_delete(key);
	ctl_opaque();
	return delete(key, (uintptr_t)pc);
}

static int do_set(pthread_key_t key, void *value, const void *pc)
{
	if (!ours())
		return real_pthread_setspecific(key, value);
	round_unforeseen();
	return set_value(key, value, (uintptr_t)pc);
}

static inline void *do_get(pthread_key_t key, const void *pc)
{
	return ours() ? get(key, (uintptr_t)pc) : real_pthread_getspecific(key);
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	return do_create(key, destructor, HERE);
}

int __pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	return do_create(key, destructor, HERE);
}

int pthread_key_delete(pthread_key_t key)
{
	return do_delete(key, HERE);
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
	return do_set(key, (void *)value, HERE);
}

int __pthread_setspecific(pthread_key_t key, const void *value)
{
	return do_set(key, (void *)value, HERE);
}

void *pthread_getspecific(pthread_key_t key)
{
	return do_get(key, HERE);
}

void *__pthread_getspecific(pthread_key_t key)
{
	return do_get(key, HERE);
}

/* C11 */

int tss_create(tss_t *key, tss_dtor_t destructor)
{
	return do_create(key, destructor, HERE) ? thrd_error : thrd_success;
}

void tss_delete(tss_t key)
{
	do_delete(key, HERE);
}

void *tss_get(tss_t key)
{
	return do_get(key, HERE);
}

int tss_set(tss_t key, void *value)
{
	return do_set(key, value, HERE) ? thrd_error : thrd_success;
}
