/*
 * One page at two addresses: two threads count in it, each by its own address. simul took the two addresses for two pieces of memory, found nothing, and
 * said so. "locked" holds a mutex; "apart" uses different bytes, so its threads never meet; "copy" uses a private mapping, which simul does not explore.
 * "across": mapped in a row, and one thread accesses the last two bytes of the page and then the first two in one go; it writes these back as it found them.
 * "reader": one mapping cannot be written. "first_gone": the first of three mappings is unmapped. "forward": a thread sees its own stores by both addresses.
 * "unmapped": one thread unmaps its mapping while the other one uses its own.
 *
 * check: bug kind=assert replays=2 : -- memfd
 * check: bug kind=assert replays=2 : --model tso -- memfd
 * check: bug kind=assert replays=2 : --model pso -- memfd
 * check: bug kind=assert replays=2 : -- shm
 * check: bug kind=assert replays=2 : -- mremap
 * check: bug kind=assert replays=2 : -- shmat
 * check: bug kind=assert replays=2 : -- in_thread
 * check: bug kind=assert replays=2 : -- first_gone
 * check: bug kind=assert replays=2 : -- across
 * check: bug kind=assert replays=2 : -- reader
 * check: bug kind=assert replays=2 : --model pso -- reader
 * check: bug kind=assert replays=2 : -- string
 * check: complete never=except_for traces=2 : -- memfd locked
 * check: complete never=except_for traces=2 : -- mremap locked
 * check: complete never=except_for traces=2 : -- shmat locked
 * check: complete never=except_for traces=1 : -- memfd apart
 * check: complete never=except_for traces=1 : -- across apart
 * check: complete never=except_for : -- forward
 * check: complete never=except_for : --model tso -- forward
 * check: complete never=except_for : --model pso -- forward
 * check: complete never=data_race : --fail-on-race -- unmapped
 * check: complete says=except_for_memory_that_is_mapped_at_two_addresses : -- copy
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#define PAGE 4096

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *how;
static char *a, *b; /* where the two threads use the page */
static const char *b_reads;
static int fd, locked, apart;

static int is(const char *name)
{
	return !strcmp(how, name);
}

static char *map(int prot, size_t size, void *at)
{
	char *p = mmap(at, size, prot, MAP_SHARED | (at ? MAP_FIXED : 0), fd, 0);

	assert(p != MAP_FAILED);
	return p;
}

static void count(char *to, const char *from)
{
	int v;

	if (locked)
		pthread_mutex_lock(&mutex);
	if (is("string")) {
		memcpy(&v, from, sizeof(v));
		v++;
		memcpy(to, &v, sizeof(v));
	} else {
		v = *(const volatile int *)from;
		*(volatile int *)to = v + 1;
	}
	if (locked)
		pthread_mutex_unlock(&mutex);
}

static void *run(void *unused)
{
	if (is("in_thread")) {
		b = map(PROT_READ | PROT_WRITE, PAGE, NULL);
		b_reads = b;
	}
	if (is("unmapped"))
		munmap(b, PAGE);
	else
		count(b, b_reads);
	return unused;
}

static void *forward(void *unused)
{
	*(volatile int *)b = 1;
	assert(*(volatile int *)a == 1);
	*(volatile short *)(a + 2) = 2;
	assert(*(volatile int *)b == 0x20001);
	return unused;
}

static void *read_both(void *unused)
{
	int v = *(volatile int *)a;

	assert(v == 0 || v == 1 || v == 0x20001);
	return unused;
}

int main(int argc, char **argv)
{
	const int both = PROT_READ | PROT_WRITE;
	pthread_t t, u;

	how = argv[1];
	locked = argc > 2 && !strcmp(argv[2], "locked");
	apart = argc > 2 && !strcmp(argv[2], "apart");
	fd = is("shm") ? shm_open("/simul_mapped_twice", O_RDWR | O_CREAT, 0600) : memfd_create("ring", 0);
	assert(fd >= 0 && !ftruncate(fd, PAGE));
	if (is("shm"))
		shm_unlink("/simul_mapped_twice");
	if (is("shmat")) {
		int id = shmget(IPC_PRIVATE, PAGE, 0600);

		a = shmat(id, NULL, 0);
		b = shmat(id, NULL, 0);
		shmctl(id, IPC_RMID, NULL);
	} else if (is("mremap")) {
		a = mmap(NULL, PAGE, both, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		b = mremap(a, 0, PAGE, MREMAP_MAYMOVE);
	} else if (is("across")) { /* as in a ring buffer: a and then b, in a row */
		a = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		a = map(both, PAGE, a);
		b = map(both, PAGE, a + PAGE);
		b -= 2; /* the last two bytes of the page and the first two */
		a += apart ? 8 : 0;
	} else {
		a = map(both, PAGE, NULL);
		b = is("copy") ? mmap(NULL, PAGE, both, MAP_PRIVATE, fd, 0) : map(both, PAGE, NULL);
	}
	if (is("first_gone")) { /* of three mappings */
		char *first = a;

		a = map(both, PAGE, NULL);
		munmap(first, PAGE);
	}
	b_reads = is("reader") ? map(PROT_READ, PAGE, NULL) : b;
	if (apart && !is("across"))
		b += 8, b_reads = b;
	if (is("forward")) {
		pthread_create(&t, NULL, forward, NULL);
		pthread_create(&u, NULL, read_both, NULL);
		pthread_join(u, NULL);
		pthread_join(t, NULL);
		return 0;
	}
	pthread_create(&t, NULL, run, NULL);
	count(a, a);
	pthread_join(t, NULL);
	if (is("across"))
		assert(*(volatile int *)a == 1);
	else if (!apart && !is("copy") && !is("unmapped"))
		assert(*(volatile int *)a == 2);
	return 0;
}
