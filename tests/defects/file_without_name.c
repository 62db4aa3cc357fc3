/* The file has no lasting name: tmpfile, O_TMPFILE or memfd_create made it; or mkstemp made it and unlink removed its
 * name; or the name was random (tmpnam, tempnam, mktemp). simul named the file by its inode number or by the random
 * name, which are others in the next process. So it found the failing order of two threads that use the file, but a
 * replay did not follow that order. All memfds of one name counted as one file, and so did a file and a later one with
 * its inode number. The second argument says when the files are made: before the first thread, by a thread, or by both
 * threads for themselves. A stream has more traces, since its output is two steps: to the buffer, and to the file.
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- tmpfile first
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- tmpfile later
 * check: bug kind=assert traces=5 replays=3 : --keep-going -- stream first
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- O_TMPFILE first
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- O_TMPFILE later
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- memfd first
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- memfd later
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- memfd_by_syscall first
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- mkstemp first
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- mkstemp later
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- tmpnam first
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- tmpnam_to later
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- tempnam first
 * check: bug kind=assert traces=3 replays=3 : --keep-going -- mktemp first
 * check: complete traces=1 : -- tmpfile own
 * check: complete traces=1 : -- O_TMPFILE own
 * check: complete traces=1 : -- memfd own
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static const char *kind;
static FILE *stream;
static int file[2];
static int is(const char *name)
{
	return !strcmp(kind, name);
}
/* Makes a file with a name that libc chooses, and sets `name` to it. */
static int make_named(char *name)
{
	if (is("mktemp"))
		mktemp(name);
	else if (is("tempnam"))
		strcpy(name, tempnam(".", "less-"));
	else
		strcpy(name, tmpnam(is("tmpnam_to") ? name : 0));
	return open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
}
static int make(void)
{
	char name[L_tmpnam] = "nameless-XXXXXX";
	int fd;
	if (is("tmpfile") || is("stream"))
		return fileno(stream = tmpfile());
	if (is("O_TMPFILE"))
		return open("/dev/shm", O_TMPFILE | O_RDWR, 0600);
	if (is("memfd"))
		return memfd_create("nameless", 0);
	if (is("memfd_by_syscall"))
		return (int)syscall(SYS_memfd_create, "nameless", 0);
	fd = is("mkstemp") ? mkstemp(name) : make_named(name);
	assert(fd >= 0 && !unlink(name));
	return fd;
}
static void *make_both(void *none)
{
	assert((file[0] = make()) >= 0 && (file[1] = make()) >= 0);
	return none;
}
static void put(char c, off_t at)
{
	if (is("stream"))
		assert(putc(c, stream) == c && !fflush(stream));
	else
		assert(pwrite(file[1], &c, 1, at) == 1);
}
static void *writer(void *none)
{
	put('a', 0);
	put('b', 1);
	return none;
}
static void *reader(void *none)
{
	char c[2];
	assert(pread(file[0], c, 2, 0) == 0); /* another file */
	assert(pread(file[1], c, 2, 0) != 1);
	return none;
}
static void *own(void *none)
{
	char c = 'a';
	FILE *f = is("tmpfile") ? tmpfile() : 0;
	int fd = f ? fileno(f) : make();
	assert(pwrite(fd, &c, 1, 0) == 1 && pread(fd, &c, 1, 0) == 1);
	f ? fclose(f) : close(fd);
	return none;
}
static int two(void *(*first)(void *), void *(*second)(void *))
{
	pthread_t t[2];
	pthread_create(&t[0], 0, first, 0);
	pthread_create(&t[1], 0, second, 0);
	return pthread_join(t[0], 0) || pthread_join(t[1], 0);
}
int main(int argc, char **argv)
{
	pthread_t maker;
	if (argc < 3)
		return 0;
	kind = argv[1];
	if (!strcmp(argv[2], "own"))
		return two(own, own);
	if (!strcmp(argv[2], "first"))
		make_both(0);
	else if (pthread_create(&maker, 0, make_both, 0) || pthread_join(maker, 0))
		return 1;
	return two(writer, reader);
}
