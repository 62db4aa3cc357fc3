/* Thread-specific data: pthread_key_delete of one thread against calls of another one that need the key. The order of the two was not tried. Only
 * these meet: threads with keys of their own, and uses that are ordered with the deletion, add no trace.
 * set: EINVAL if the deletion comes first. get: then NULL. tss: the same in C11. exit: a destructor that is called or not. delete: one of two
 * deletions fails. reuse: three threads delete a key, use it and make one: the deletion comes before the use or after it, and in each case the
 * creation comes before the deletion (key 1) or after it; after it, it comes before the use or after it if the use is the later one: 2 + 3.
 * With arguments in capitals the outcome is not checked, and each order is one trace. EXIT: the deletion comes before the thread sets its value,
 * between that and its end, or after its end. early: a thread uses the number 1 before key 1 exists; it reads the variable before or after the
 * creation has written it, and in the first case uses the number before the creation or after it. handed: threads hand over a new key in a way
 * that is not seen, as GLib does for GPrivate: no order, and the verdict was incomplete.
 * check: bug kind=assert says=change_the_key_0 replays=3 : -- set
 * check: bug kind=assert : -- get
 * check: bug kind=assert : -- tss
 * check: bug kind=assert : -- exit
 * check: bug kind=assert : -- early
 * check: complete traces=3 : -- EARLY
 * check: complete traces=1 : --leave-out shared_* -- handed
 * check: complete traces=2 : -- SET
 * check: complete traces=2 : -- GET
 * check: complete traces=2 : -- TSS
 * check: complete traces=3 : -- EXIT
 * check: complete traces=2 : -- DELETE
 * check: complete traces=5 : -- REUSE
 * check: complete traces=1 : -- own
 * check: complete traces=1 : -- unset
 * check: complete traces=1 : -- joined
 * check: complete traces=1 : -- never
 * check: complete : --model tso -- fence_create
 * check: complete : --model tso -- fence_delete
 * check: bug kind=assert : --model tso -- fence_set
 * check: bug kind=assert : --model tso -- fence_get
 * check: bug kind=assert : --model tso -- fence_fail
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <threads.h>

static pthread_key_t k;
static int destroyed, value = 1;
static const char *what;
static _Atomic int x, y;

static int is(const char *name) { return !strcasecmp(what, name); }
static void destructor(void *p) { ++*(int *)p; }
static void *deletes(void *p) { pthread_key_delete(k); return p; }
static void *tss_deletes(void *p) { tss_delete(k); return p; }
static void *sets(void *p) { pthread_setspecific(k, &destroyed); return p; }
static void *uses(void *p) { pthread_setspecific(k, p); return p; }
static void *own(void *p)
{
	pthread_key_t mine;
	assert(!pthread_key_create(&mine, NULL) && !pthread_setspecific(mine, &mine) && pthread_getspecific(mine) == &mine);
	assert(!pthread_key_delete(mine));
	return p;
}
static void *gets(void *p)
{
	assert(pthread_getspecific(k) == NULL);
	return p;
}

static pthread_key_t made = 1;
static void *makes(void *p)
{
	assert(!pthread_key_create(&made, NULL));
	return p;
}

static pthread_key_t *handed;
static __attribute__((noinline)) pthread_key_t *shared_get(void) { return __atomic_load_n(&handed, __ATOMIC_SEQ_CST); }
static __attribute__((noinline)) void shared_put(pthread_key_t *p) { __atomic_store_n(&handed, p, __ATOMIC_SEQ_CST); }
static void *hands(void *p)
{
	pthread_key_t *mine = shared_get();
	if (!mine) {
		mine = malloc(sizeof *mine);
		assert(!pthread_key_create(mine, NULL));
		shared_put(mine);
	}
	assert(!pthread_setspecific(shared_get() ? *mine : 99, p));
	return p;
}

static pthread_key_t keys[2];
static void call(int i)
{
	if (is("fence_create"))
		pthread_key_create(&keys[i], NULL);
	else if (is("fence_delete"))
		pthread_key_delete(keys[i]);
	else if (is("fence_set"))
		pthread_setspecific(keys[i], &x);
	else if (is("fence_get"))
		pthread_getspecific(keys[i]);
	else
		assert(pthread_key_delete(99) == EINVAL); /* a failing deletion executes no locked instruction */
}
static int saw[2];
static void *buffers(void *p)
{
	__atomic_store_n(&y, 1, __ATOMIC_RELAXED);
	call(1);
	saw[1] = __atomic_load_n(&x, __ATOMIC_RELAXED);
	return p;
}

static void run(pthread_t *t, void *(*f)(void *))
{
	assert(!pthread_create(t, NULL, f, &value));
}

int main(int argc, char **argv)
{
	pthread_t t, u;
	void *got;
	int e;

	what = argv[argc - 1];
	int checks = *what >= 'a';
	assert(!pthread_key_create(&k, is("exit") ? destructor : NULL));
	if (is("set") || is("tss")) {
		run(&t, is("set") ? deletes : tss_deletes);
		e = is("set") ? pthread_setspecific(k, &k) : tss_set(k, &k) != thrd_success;
		pthread_join(t, NULL);
		assert(!e || !checks);
	} else if (is("get")) {
		pthread_setspecific(k, &k);
		run(&t, deletes);
		got = pthread_getspecific(k);
		pthread_join(t, NULL);
		assert(got || !checks);
	} else if (is("exit")) {
		run(&t, sets);
		pthread_key_delete(k);
		pthread_join(t, NULL);
		assert(destroyed || !checks);
	} else if (is("delete")) {
		run(&t, deletes);
		e = pthread_key_delete(k);
		pthread_join(t, NULL);
		assert(!e || e == EINVAL);
	} else if (is("reuse")) {
		run(&t, deletes);
		run(&u, uses);
		pthread_key_create(&keys[0], NULL);
		pthread_join(t, NULL);
		pthread_join(u, NULL);
	} else if (is("early")) {
		run(&t, makes);
		e = pthread_setspecific(made, &k);
		pthread_join(t, NULL);
		assert(!e || !checks);
	} else if (is("handed")) {
		run(&t, hands);
		run(&u, hands);
		hands(&value);
		pthread_join(t, NULL);
		pthread_join(u, NULL);
		free(handed);
	} else if (is("own")) {
		run(&t, own);
		own(NULL);
		pthread_join(t, NULL);
	} else if (is("unset")) { /* glibc does not look at the key */
		run(&t, gets);
		pthread_key_delete(k);
		pthread_join(t, NULL);
	} else if (is("joined")) {
		run(&t, sets);
		e = pthread_setspecific(k, &k);
		pthread_join(t, NULL);
		assert(!e && !pthread_key_delete(k));
	} else if (is("never")) {
		run(&t, gets);
		assert(pthread_setspecific(77, &k) == EINVAL && pthread_setspecific(PTHREAD_KEYS_MAX, &k) == EINVAL && pthread_setspecific(k, NULL) == 0);
		assert(pthread_key_delete(78) == EINVAL && !pthread_getspecific(77));
		pthread_join(t, NULL);
	} else { /* store buffering: without a fence both loads may read 0 */
		for (int i = 0; i < 2 && !is("fence_create"); i++)
			assert(!pthread_key_create(&keys[i], NULL) && !pthread_setspecific(keys[i], &k));
		run(&t, buffers);
		__atomic_store_n(&x, 1, __ATOMIC_RELAXED);
		call(0);
		saw[0] = __atomic_load_n(&y, __ATOMIC_RELAXED);
		pthread_join(t, NULL);
		assert(saw[0] || saw[1]);
	}
}
