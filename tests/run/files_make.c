/* Files and directories that must not be there before: made by main and by threads, before and after the first
   thread. Each execution starts without them. */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "sync_check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char temp_dir[] = "tempXXXXXX";

static void make(const char *dir, const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	CHECK(fd >= 0);
	CHECK(write(fd, name, strlen(name)) == (ssize_t)strlen(name));
	close(fd);
}

static void *worker(void *arg)
{
	char name[] = "t?", temp[] = "made/XXXXXX.tmp", path[32];
	FILE *f;
	int fd;

	name[1] = (char)('0' + (int)(long)arg);
	pthread_mutex_lock(&m);
	EXPECT(mkdir(name, 0700), 0);
	make(name, "file");
	make("made", name);
	make(temp_dir, name);
	pthread_mutex_unlock(&m);
	fd = mkstemps(temp, 4);
	CHECK(fd >= 0);
	close(fd);
	snprintf(path, sizeof(path), "made/%s.x", name);
	f = fopen(path, "wx");
	CHECK(f);
	fclose(f);
	return NULL;
}

/* Names in name spaces other than that of open. */
static void others(void)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "made/socket"};
	char shm[64];
	int fd;

	snprintf(shm, sizeof(shm), "/files_make_%ld", (long)getpid());
	fd = shm_open(shm, O_RDWR | O_CREAT | O_EXCL, 0600);
	CHECK(fd >= 0);
	close(fd);
	EXPECT(shm_unlink(shm), 0);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	EXPECT(bind(fd, (struct sockaddr *)&un, sizeof(un)), 0);
	close(fd);
	EXPECT((int)syscall(SYS_mkdir, "made/by_syscall", 0700), 0);
}

int main(void)
{
	pthread_t t[2];

	EXPECT(mkdir("made", 0700), 0);
	make("made", "main");
	EXPECT(symlink("main", "made/link"), 0);
	CHECK(mkdtemp(temp_dir));
	for (long i = 0; i < 2; i++)
		EXPECT(pthread_create(&t[i], NULL, worker, (void *)i), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	EXPECT(link("made/main", "made/second"), 0);
	EXPECT(mkfifo("made/fifo", 0600), 0);
	others();
	return 0;
}
