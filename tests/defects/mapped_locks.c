/*
 * Synchronisation objects in a page that is mapped at two addresses, each thread using its own address. They were two objects. "private": the object is not
 * for several processes; then a thread that sleeps is not woken by the other address, and the verdict says that this is not explored. "unlocked": no lock
 * is held by one thread. "handover": the first thread posts to the semaphore after it has written, the second one waits; or not ("unlocked").
 *
 * check: complete never=except_for traces=2 : -- mutex
 * check: complete never=except_for traces=2 : --model pso -- mutex
 * check: complete never=except_for traces=2 : -- rwlock
 * check: complete never=except_for traces=2 : -- spin
 * check: complete never=except_for traces=2 : -- sem
 * check: complete never=except_for traces=1 : -- handover
 * check: complete never=except_for : -- cond
 * check: complete never=except_for : -- barrier
 * check: complete says=except_for_memory_that_is_mapped_at_two_addresses : -- mutex private
 * check: complete says=except_for_memory_that_is_mapped_at_two_addresses : -- sem private
 * check: bug kind=assert replays=2 : -- mutex unlocked
 * check: bug kind=assert replays=2 : -- handover unlocked
 * check: bug kind=deadlock replays=2 : -- cond unlocked
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct page {
	union {
		pthread_mutex_t mutex;
		pthread_rwlock_t rwlock;
		pthread_spinlock_t spin;
		sem_t sem;
		pthread_barrier_t barrier;
	};
	pthread_cond_t cond;
	int count;
};

static struct page *page[2];
static const char *how, *variant;

static int is(const char *name)
{
	return !strcmp(how, name);
}

static void lock(struct page *p)
{
	if (is("mutex"))
		pthread_mutex_lock(&p->mutex);
	else if (is("rwlock"))
		pthread_rwlock_wrlock(&p->rwlock);
	else if (is("spin"))
		pthread_spin_lock(&p->spin);
	else
		sem_wait(&p->sem);
}

static void unlock(struct page *p)
{
	if (is("mutex"))
		pthread_mutex_unlock(&p->mutex);
	else if (is("rwlock"))
		pthread_rwlock_unlock(&p->rwlock);
	else if (is("spin"))
		pthread_spin_unlock(&p->spin);
	else
		sem_post(&p->sem);
}

static void use(struct page *p, int me)
{
	int bad = !strcmp(variant, "unlocked");

	if (is("handover")) {
		if (me)
			p->count = 2, sem_post(&p->sem);
		else if (!bad)
			sem_wait(&p->sem);
		assert(p->count == 2);
	} else if (is("barrier")) {
		pthread_barrier_wait(&p->barrier);
		if (!me)
			p->count = 2;
	} else if (is("cond")) {
		pthread_mutex_lock(&p->mutex);
		if (me) {
			p->count = 2;
			pthread_cond_signal(&p->cond);
		} else {
			while (bad || p->count == 0)
				pthread_cond_wait(&p->cond, &p->mutex), bad = 0;
		}
		pthread_mutex_unlock(&p->mutex);
	} else {
		if (!bad || me)
			lock(p);
		p->count = p->count + 1;
		if (!bad || me)
			unlock(p);
	}
}

static void *run(void *unused)
{
	use(page[1], 1);
	return unused;
}

static void init(struct page *p, int shared)
{
	pthread_mutexattr_t m;
	pthread_condattr_t c;
	pthread_rwlockattr_t l;
	pthread_barrierattr_t b;

	pthread_mutexattr_init(&m);
	pthread_mutexattr_setpshared(&m, shared);
	pthread_condattr_init(&c);
	pthread_condattr_setpshared(&c, shared);
	pthread_rwlockattr_init(&l);
	pthread_rwlockattr_setpshared(&l, shared);
	pthread_barrierattr_init(&b);
	pthread_barrierattr_setpshared(&b, shared);
	pthread_cond_init(&p->cond, &c);
	if (is("mutex") || is("cond"))
		pthread_mutex_init(&p->mutex, &m);
	else if (is("rwlock"))
		pthread_rwlock_init(&p->rwlock, &l);
	else if (is("spin"))
		pthread_spin_init(&p->spin, shared);
	else if (is("barrier"))
		pthread_barrier_init(&p->barrier, &b, 2);
	else
		sem_init(&p->sem, shared, !is("handover"));
}

int main(int argc, char **argv)
{
	pthread_t t;
	int fd = memfd_create("page", 0);

	how = argv[1];
	variant = argc > 2 ? argv[2] : "";
	assert(fd >= 0 && !ftruncate(fd, 4096));
	for (int i = 0; i < 2; i++)
		page[i] = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	init(page[0], strcmp(variant, "private") ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE);
	pthread_create(&t, NULL, run, NULL);
	use(page[0], 0);
	pthread_join(t, NULL);
	assert(page[0]->count == 2);
	return 0;
}
