/* C11 threads. */
#include <threads.h>

#include "sync_check.h"

static mtx_t lock;
static cnd_t cond;
static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static int runs, ready, dtors;

static void init(void)
{
	runs++;
}

static void dtor(void *p)
{
	dtors += *(int *)p;
}

static int worker(void *arg)
{
	static int amount = 5;

	call_once(&flag, init);
	EXPECT(tss_set(key, &amount), thrd_success);
	EXPECT(mtx_lock(&lock), thrd_success);
	while (!ready)
		EXPECT(cnd_wait(&cond, &lock), thrd_success);
	EXPECT(mtx_unlock(&lock), thrd_success);
	CHECK(tss_get(key) == &amount);
	if (arg)
		thrd_exit(8);
	return 7;
}

static int tries(void *m)
{
	EXPECT(mtx_trylock(m), thrd_busy);
	return 0;
}

int main(void)
{
	thrd_t t;
	int result;
	mtx_t r;
	struct timespec past = {1, 0};

	EXPECT(mtx_init(&lock, mtx_timed), thrd_success);
	EXPECT(cnd_init(&cond), thrd_success);
	EXPECT(tss_create(&key, dtor), thrd_success);
	for (int i = 0; i < 2; i++) {
		ready = 0;
		EXPECT(thrd_create(&t, worker, i ? &result : NULL), thrd_success);
		call_once(&flag, init);
		EXPECT(mtx_lock(&lock), thrd_success);
		ready = 1;
		EXPECT(i ? cnd_broadcast(&cond) : cnd_signal(&cond), thrd_success);
		EXPECT(mtx_unlock(&lock), thrd_success);
		EXPECT(thrd_join(t, &result), thrd_success);
		EXPECT(result, 7 + i);
	}
	EXPECT(runs, 1);
	EXPECT(dtors, 10);
	CHECK(tss_get(key) == NULL);
	tss_delete(key);

	EXPECT(mtx_lock(&lock), thrd_success);
	EXPECT(mtx_timedlock(&lock, &past), thrd_timedout);
	EXPECT(cnd_timedwait(&cond, &lock, &past), thrd_timedout);
	EXPECT(thrd_create(&t, tries, &lock), thrd_success);
	EXPECT(thrd_join(t, NULL), thrd_success);
	EXPECT(mtx_unlock(&lock), thrd_success);
	EXPECT(mtx_init(&r, mtx_plain | mtx_recursive), thrd_success);
	EXPECT(mtx_lock(&r), thrd_success);
	EXPECT(mtx_lock(&r), thrd_success);
	EXPECT(mtx_unlock(&r), thrd_success);
	EXPECT(mtx_unlock(&r), thrd_success);
	mtx_destroy(&r);
	mtx_destroy(&lock);
	cnd_destroy(&cond);
	return 0;
}
