/* A file that is opened before the first thread starts, and changed by a thread. Each execution must find it as it was.
 * append: a thread sets O_APPEND. The content was put back before the flags, so simul appended it: a failure was lost.
 * length: the same. The file became longer than in any order: a failure that no replay confirmed.
 * written: nothing changes the file. simul wrote it before each execution and each replay: a false failure, confirmed.
 * status: the same, with the time of the last status change, which no call can set.
 * times, mode: a thread changes them. Later executions found the new ones: false failures.
 * unlinked: a thread removes the name. The file that simul made instead had the inode number of the file that an
 * earlier execution used. So simul took the descriptor for right, which referred to a removed file: a false failure.
 * mapped: a thread changes the file through a mapping.
 * check: bug kind=assert traces=2 : --keep-going --isolation fork -- append
 * check: bug kind=assert traces=2 : --keep-going --isolation rewind -- append
 * check: bug kind=assert traces=2 : --keep-going --isolation exec -- append
 * check: complete traces=2 : --isolation fork -- length
 * check: complete traces=2 : --isolation rewind -- length
 * check: complete traces=2 : --isolation exec -- length
 * check: complete traces=2 : --isolation fork -- written
 * check: complete traces=2 : --isolation rewind -- written
 * check: complete traces=2 : --isolation exec -- written
 * check: complete traces=2 : --isolation fork -- status
 * check: complete traces=2 : --isolation rewind -- status
 * check: complete traces=2 : --isolation exec -- status
 * check: complete traces=2 : --isolation fork -- times
 * check: complete traces=2 : --isolation rewind -- times
 * check: complete traces=2 : --isolation exec -- times
 * check: complete traces=2 : --isolation fork -- mode
 * check: complete traces=2 : --isolation rewind -- mode
 * check: complete traces=2 : --isolation exec -- mode
 * check: complete traces=2 leaves=nothing : --isolation fork -- unlinked
 * check: complete traces=2 leaves=nothing : --isolation rewind -- unlinked
 * check: complete traces=2 leaves=nothing : --isolation exec -- unlinked
 * check: complete traces=2 : --isolation fork -- mapped
 * check: complete traces=2 : --isolation rewind -- mapped
 * check: complete traces=2 : --isolation exec -- mapped
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *what;
static const struct timespec old[2] = {{1000000000}, {1000000000}};
static struct stat before;
static char *memory;
static atomic_int turns;
static volatile int turn[2];
static int fd;

static int is(const char *name)
{
	return !strcmp(what, name);
}

static void look(void)
{
	struct stat now;

	assert(!fstat(fd, &now) && now.st_size == 3);
	assert(now.st_mode == before.st_mode && now.st_nlink == before.st_nlink);
	assert(now.st_mtim.tv_sec == 1000000000 && now.st_mtim.tv_nsec == 0 && now.st_atim.tv_sec == 1000000000);
	assert(!is("status") || now.st_ctim.tv_nsec == before.st_ctim.tv_nsec);
}

static void *first(void *none)
{
	char c;

	if (is("append") || is("length")) {
		fcntl(fd, F_SETFL, O_APPEND);
		return none;
	}
	look();
	if (is("times"))
		assert(write(fd, "abcd", 4) == 4 && pread(fd, &c, 1, 0) == 1);
	if (is("mode"))
		assert(!fchmod(fd, 0400));
	if (is("unlinked"))
		assert(!unlink("put_back"));
	if (is("mapped"))
		memory[0] = 'y';
	turn[0] = turns++;
	return none;
}

static void *second(void *none)
{
	if (is("append") || is("length"))
		assert(write(fd, "B", 1) == 1);
	turn[1] = turns++;
	return none;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	struct stat now;
	char c;

	if (argc < 2)
		return 0;
	what = argv[1];
	fd = is("unlinked") ? open("put_back", O_CREAT | O_RDWR, 0600) : fileno(tmpfile());
	assert(write(fd, "xyz", 3) == 3 && lseek(fd, 0, SEEK_SET) == 0);
	if (is("mapped"))
		memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert(!futimens(fd, old) && !fstat(fd, &before));
	pthread_create(&t[0], 0, first, 0);
	pthread_create(&t[1], 0, second, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	if (is("append"))
		assert(pread(fd, &c, 1, 0) == 1 && c != 'x');
	if (is("length"))
		assert(!fstat(fd, &now) && now.st_size <= 4);
	return 0;
}
