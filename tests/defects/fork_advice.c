/* Memory that child processes shall not have (MADV_DONTFORK), or shall find cleared (MADV_WIPEONFORK). Executions are forked, and had it neither:
 * a read from a file into it failed, and its contents were lost. The program's own children must follow the advice.
 * check: complete traces=2 : --
 * check: complete traces=2 : --isolation fork --
 * long: complete traces=2 : --isolation exec --
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *gone, *wiped, *kept;

static char *map(int pages)
{
	char *p = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(p != MAP_FAILED);
	memset(p, 'x', (size_t)pages * PAGE);
	return p;
}

static int readable(const char *p)
{
	int fds[2], r;
	assert(!pipe(fds));
	r = write(fds[1], p, 1) == 1;
	close(fds[0]);
	close(fds[1]);
	return r;
}

static void *work(void *unused)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	pthread_mutex_lock(&m);
	assert(read(fd, gone + PAGE, 4) == 4 && !memcmp(gone + PAGE, "\177ELF", 4));
	assert(gone[0] == 'x' && wiped[0] == 'x' && kept[0] == 'x');
	pthread_mutex_unlock(&m);
	close(fd);
	return unused;
}

static void look_as_child(void)
{
	int status;
	pid_t pid = fork();
	if (!pid)
		_exit(readable(gone) + 2 * readable(gone + PAGE) + 4 * !readable(gone + 2 * PAGE) + 8 * (wiped[0] != 0) + 16 * (kept[0] != 'x'));
	assert(waitpid(pid, &status, 0) == pid && status == 0);
}

int main(void)
{
	pthread_t t;
	gone = map(3), wiped = map(1), kept = map(2);
	assert(!madvise(gone, 3 * PAGE, MADV_DONTFORK) && !madvise(gone + 2 * PAGE, PAGE, MADV_DOFORK));
	assert(!madvise(wiped, PAGE, MADV_WIPEONFORK));
	/* the advice ends with its mapping, or when it is withdrawn */
	assert(!madvise(kept, 2 * PAGE, MADV_WIPEONFORK) && !madvise(kept, PAGE, MADV_KEEPONFORK));
	assert(!munmap(kept + PAGE, PAGE) && madvise(kept + PAGE, PAGE, MADV_DONTFORK));
	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	look_as_child();
	return 0;
}
