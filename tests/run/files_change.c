/* Files that are there before the first thread: appended to, truncated, renamed over, moved away, unlinked,
   and written to by a descriptor from before. Each execution finds them as they were. */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "sync_check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static FILE *log_file;
static int plain;

static void put(const char *path, const char *mode, const char *text)
{
	FILE *f = fopen(path, mode);

	CHECK(f);
	CHECK(fputs(text, f) >= 0);
	EXPECT(fclose(f), 0);
}

static void expect_text(const char *path, const char *text)
{
	char got[256] = "";
	FILE *f = fopen(path, "r");

	CHECK(f);
	CHECK(fread(got, 1, sizeof(got) - 1, f) == strlen(text));
	fclose(f);
	CHECK(!strcmp(got, text));
}

static void *first(void *arg)
{
	pthread_mutex_lock(&m);
	expect_text("old", "old\n");
	put("old", "a", "more\n");
	expect_text("victim", "victim\n");
	put("new", "wx", "new\n");
	EXPECT(rename("new", "victim"), 0);
	EXPECT(rename("dir", "moved"), 0);
	put("moved/inside", "w", "changed\n");
	EXPECT(fputs("first\n", log_file) >= 0, 1);
	EXPECT(fflush(log_file), 0);
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *second(void *arg)
{
	struct stat st;

	pthread_mutex_lock(&m);
	expect_text("gone", "gone\n");
	EXPECT(unlink("gone"), 0);
	EXPECT(stat("short", &st), 0);
	EXPECT((int)st.st_size, 6);
	EXPECT((int)(st.st_mode & 0777), 0600);
	EXPECT(truncate("short", 2), 0);
	EXPECT(chmod("short", 0644), 0);
	EXPECT(stat("mode", &st), 0);
	EXPECT((int)(st.st_mode & 0777), 0600);
	EXPECT(chmod("mode", 0640), 0);
	EXPECT(rmdir("empty"), 0);
	EXPECT((int)write(plain, "x", 1), 1);
	EXPECT(fputs("second\n", log_file) >= 0, 1);
	EXPECT(fflush(log_file), 0);
	pthread_mutex_unlock(&m);
	return NULL;
}

static void prepare(void)
{
	put("old", "wx", "old\n");
	put("victim", "wx", "victim\n");
	put("gone", "wx", "gone\n");
	put("short", "wx", "short\n");
	EXPECT(chmod("short", 0600), 0);
	put("mode", "wx", "mode\n");
	EXPECT(chmod("mode", 0600), 0);
	EXPECT(mkdir("dir", 0700), 0);
	EXPECT(mkdir("empty", 0700), 0);
	put("dir/inside", "wx", "inside\n");
	log_file = fopen("log", "ax");
	CHECK(log_file);
	EXPECT(fputs("start\n", log_file) >= 0, 1);
	EXPECT(fflush(log_file), 0);
	plain = open("plain", O_WRONLY | O_CREAT | O_EXCL, 0600);
	EXPECT((int)write(plain, "12345", 5), 5);
	EXPECT((int)lseek(plain, 1, SEEK_SET), 1);
}

int main(void)
{
	pthread_t t[2];
	struct stat st;

	prepare();
	EXPECT(pthread_create(&t[0], NULL, first, NULL), 0);
	EXPECT(pthread_create(&t[1], NULL, second, NULL), 0);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	expect_text("old", "old\nmore\n");
	expect_text("victim", "new\n");
	expect_text("moved/inside", "changed\n");
	expect_text("short", "sh");
	expect_text("plain", "1x345");
	EXPECT(stat("log", &st), 0);
	EXPECT((int)st.st_size, 19);
	return 0;
}
