/* Threads get and set their scheduling parameters: by pthread_t, by thread id, and by system calls without libc (as GLib's thread pools do). */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The beginning of the kernel's struct sched_attr, all of its first version. */
struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static void by_number(pid_t id)
{
	cpu_set_t set;
	struct sched_param param = {0};
	struct timespec ts;
	struct attr attr;

	assert(sched_getaffinity(id, sizeof(set), &set) == 0 && sched_setaffinity(id, sizeof(set), &set) == 0);
	assert(sched_getscheduler(id) == SCHED_OTHER && sched_getparam(id, &param) == 0);
	assert(sched_setscheduler(id, SCHED_OTHER, &param) == 0 && sched_setparam(id, &param) == 0);
	assert(sched_rr_get_interval(id, &ts) == 0);
	errno = 0;
	int nice = getpriority(PRIO_PROCESS, (id_t)id);
	assert(errno == 0 && setpriority(PRIO_PROCESS, (id_t)id, nice) == 0);
	assert(syscall(SYS_getpriority, PRIO_PROCESS, id) == 20 - nice);
	assert(syscall(SYS_sched_getaffinity, id, sizeof(set), &set) > 0);
	assert(syscall(SYS_sched_getattr, id, &attr, sizeof(attr), 0) == 0);
	assert(syscall(SYS_sched_setattr, id, &attr, 0) == 0);
}

static void *thread(void *arg)
{
	cpu_set_t set;
	struct sched_param param;
	struct timespec ts;
	clockid_t clock;
	int policy;

	assert(pthread_getaffinity_np(pthread_self(), sizeof(set), &set) == 0);
	assert(pthread_setaffinity_np(pthread_self(), sizeof(set), &set) == 0);
	assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
	assert(pthread_setschedparam(pthread_self(), policy, &param) == 0);
	assert(pthread_getcpuclockid(pthread_self(), &clock) == 0 && clock_gettime(clock, &ts) == 0);
	by_number(0);
	by_number(gettid());
	by_number((pid_t)syscall(SYS_gettid));
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	struct rlimit limit;

	pthread_create(&a, NULL, thread, NULL);
	pthread_create(&b, NULL, thread, NULL);
	by_number(getpid());
	assert(syscall(SYS_getpid) == getpid() && syscall(SYS_kill, getpid(), 0) == 0);
	assert(prlimit(getpid(), RLIMIT_NOFILE, NULL, &limit) == 0 && prlimit(getpid(), RLIMIT_NOFILE, &limit, NULL) == 0);
	assert(sched_getparam(1 << 30, &(struct sched_param){0}) == -1 && errno == ESRCH);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
