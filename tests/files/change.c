/* Two threads take a lock in turn. With it, files are made, changed, replaced, renamed and removed. The argument says how the program
 * ends: return, abort (in one order only), spin (for ever, so that it is cut), hang (for ever, without a call), long (it has so many orders that
 * time runs out), crash before the first thread, none (it never creates a thread), map (it also writes through a mapping of the file). With
 * a second argument, "attributes", only owners, modes, times and extended attributes are changed. What only root may do fails for others.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *how, *what;
static int first, rounds = 1;
static char *mapped;

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0640);
	if (fd < 0 || write(fd, text, strlen(text)) < 0 || close(fd))
		_exit(77);
}

/* Each in another way; only the first thread's file has attributes of its own before. */
static void change_attributes(int i)
{
	const struct timespec times[2] = {{1000000000 + i, 5}, {1100000000, 6}};
	const struct timeval micro[2] = {{1200000000, 7}, {1300000000 + i, 8}};
	int fd = open(i ? "marked-b" : "marked-a", O_RDONLY), dir = open("marked", O_RDONLY | O_DIRECTORY), e = 0;
	if (fd < 0 || dir < 0)
		_exit(77);
	if (i) {
		e += fchmod(fd, 0711) + setxattr("marked-b", "user.new", "value", 5, 0) + futimens(fd, times) + syscall(SYS_chmod, "marked", 0750);
		e += utimensat(dir, "inside", times, AT_SYMLINK_NOFOLLOW) + fchmodat(dir, "inside", 0604, 0);
	} else {
		e += lsetxattr("marked-a", "user.kept", "another", 7, XATTR_REPLACE) + fremovexattr(fd, "user.gone") + fsetxattr(fd, "user.more", "", 0, 0);
		e += chmod("marked-a", 0640) + utimes("marked-a", micro) + lutimes("dangling", micro) + futimesat(dir, "inside", micro);
		e += utimensat(AT_FDCWD, "marked", times, 0);
		unlink("marked-a"); /* and it is made again */
	}
	if (e)
		_exit(78);
	if (!geteuid() && (fchown(fd, 1, 2) | lchown("dangling", 3, 4) | chown("marked", 5, 6) | fchownat(dir, "inside", 7 + i, 8, 0) | syscall(SYS_fchownat, dir, "", 9, 9, AT_EMPTY_PATH)))
		_exit(79);
	close(fd);
	close(dir);
}

static void change(int i)
{
	if (what) {
		change_attributes(i);
		return;
	}
	if (mapped)
		mapped[i] = 'm';
	put(i ? "made-b" : "made-a", "made");
	put("old", i ? "changed by b" : "changed by a, which writes more");
	chmod("old", 0600);
	mkdir("dir", 0755);
	put("dir/inside", "inside");
	rename("moved", "moved-away");
	unlink("gone");
	symlink("old", "link");
}

static void *work(void *which)
{
	int i = (int)(long)which;
	for (int r = 0; r < rounds; r++) {
		pthread_mutex_lock(&m);
		if (!first)
			first = i + 1;
		if (!r) /* with the lock, since otherwise there are as many orders as calls can have */
			change(i);
		pthread_mutex_unlock(&m);
	}
	while (!strcmp(how, "hang"))
		__asm__ volatile("");
	while (!strcmp(how, "spin")) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	how = argc > 1 ? argv[1] : "return";
	what = argc > 2 ? argv[2] : NULL;
	put("before", "before the first thread");
	rounds = !strcmp(how, "long") ? 40 : 1;
	if (!strcmp(how, "map")) {
		int fd = open("old", O_RDWR);
		mapped = mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (mapped == MAP_FAILED || close(fd))
			return 77;
	}
	if (!strcmp(how, "crash"))
		abort();
	if (!strcmp(how, "none"))
		return 0;
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (!strcmp(how, "abort") && first == 2)
		abort();
	return 0;
}
