/* Failures that Pth's own order never shows: it runs threads of equal priority in the order of their creation. */
#include <assert.h>
#include <pth.h>

static pth_mutex_t lock = PTH_MUTEX_INIT;
static pth_cond_t changed = PTH_COND_INIT;
static int configured;

#if defined LOST || defined WAITS
/* A notification that comes before the wait is lost. With WAITS the first thread looks before it waits. */
static void *first(void *arg)
{
	pth_mutex_acquire(&lock, FALSE, NULL);
#ifdef WAITS
	while (!configured)
#endif
		pth_cond_await(&changed, &lock, NULL);
	pth_mutex_release(&lock);
	return arg;
}

static void *second(void *arg)
{
	pth_mutex_acquire(&lock, FALSE, NULL);
	configured = 1;
	pth_cond_notify(&changed, TRUE);
	pth_mutex_release(&lock);
	return arg;
}
#else
/* The second thread uses what the first one sets, and does not wait for it. */
static void *first(void *arg)
{
	configured = 1;
	return arg;
}

static void *second(void *arg)
{
	assert(configured);
	return arg;
}
#endif

int main(void)
{
	pth_init();
	pth_attr_t attributes = pth_attr_new();
	pth_attr_set(attributes, PTH_ATTR_NAME, "first");
	pth_t a = pth_spawn(attributes, first, NULL);
	pth_attr_set(attributes, PTH_ATTR_NAME, "second");
	pth_t b = pth_spawn(attributes, second, NULL);
	pth_join(a, NULL);
	pth_join(b, NULL);
	(void)changed;
	(void)lock;
	return 0;
}
