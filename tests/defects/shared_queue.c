/* A queue with a process-shared mutex and condition variable in memory of shm_open, whose descriptor is closed before the first thread starts. Each
 * execution uses other pages of it, and some pages are first touched there. An execution must not see what the previous one left: neither its items
 * nor its sum. "late": the consumer sums too early, which only some orders show. "child": another process has mapped the memory too, so simul does
 * not restore it, and the verdict must say so.
 * check: complete : --
 * check: complete : --isolation fork --
 * check: bug kind=assert replays=3 : -- late
 * check: incomplete says=another_process_has_mapped : --isolation fork -- child
 * long: complete : --isolation exec --
 * long: complete : --isolation fork --jobs 2 --
 * long: bug kind=assert replays=3 : --isolation exec -- late
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 64

static struct queue {
	pthread_mutex_t lock;
	pthread_cond_t more;
	int n, sum;
	char item[] __attribute__((aligned(PAGE)));
} *q;
static int late;

static void *produce(void *which)
{
	int i = (int)(long)which;
	pthread_mutex_lock(&q->lock);
	q->item[(q->n * 7 + i + 1) % (PAGES - 1) * PAGE] += (char)(i + 1);
	q->sum += i + 1;
	q->n++;
	pthread_cond_signal(&q->more);
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

static int sum(void)
{
	int all = 0;
	for (int i = 0; i < PAGES - 1; i++)
		all += q->item[i * PAGE];
	return all;
}

static void *consume(void *unused)
{
	pthread_mutex_lock(&q->lock);
	while (q->n < (late ? 1 : 2))
		pthread_cond_wait(&q->more, &q->lock);
	assert(sum() == 3);
	pthread_mutex_unlock(&q->lock);
	return unused;
}

static void make_queue(void)
{
	pthread_mutexattr_t ma;
	pthread_condattr_t ca;
	char name[32];
	snprintf(name, sizeof name, "/simul-test-%d", (int)getpid());
	int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	assert(fd >= 0 && !shm_unlink(name) && !ftruncate(fd, PAGES * PAGE));
	q = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert(q != MAP_FAILED);
	close(fd);
	pthread_mutexattr_init(&ma);
	pthread_mutexattr_setpshared(&ma, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&q->lock, &ma);
	pthread_condattr_init(&ca);
	pthread_condattr_setpshared(&ca, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&q->more, &ca);
}

int main(int argc, char **argv)
{
	pthread_t t[3];
	pid_t child = 0;
	make_queue();
	late = argc > 1 && !strcmp(argv[1], "late");
	if (argc > 1 && !strcmp(argv[1], "child")) {
		child = fork();
		if (!child) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				pause();
		}
	}
	pthread_create(&t[0], NULL, produce, (void *)0);
	pthread_create(&t[1], NULL, produce, (void *)1);
	if (!child)
		pthread_create(&t[2], NULL, consume, NULL);
	for (int i = 0; i < (child ? 2 : 3); i++)
		pthread_join(t[i], NULL);
	assert(child || q->sum == 3);
	return 0;
}
