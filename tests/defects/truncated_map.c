/*
 * A call makes a file shorter or longer, or makes a hole in it, while another thread uses the memory that is mapped: SIGBUS, or zeros. Each was
 * "complete", with one trace. The first argument is the call; the second one:
 *
 *   before     the thread makes the call, the first thread accesses the memory
 *   after      the other way round: another order is the first one
 *   mapped     the first thread also maps the file after it has created the thread
 *   longer     the first thread makes the file longer before the access
 *   joined     the access comes before the thread is created
 *   page       the access is in the first page, which remains. Two traces after ftruncate, since the file could have had another length
 *
 * The last access of `locked` is before the call in each of its two traces; in the second execution the file must have its length again.
 *
 * check: bug kind=crash says=SIGBUS replays=5 : -- ftruncate before
 * check: bug kind=crash says=SIGBUS : -- ftruncate after
 * check: bug kind=crash says=SIGBUS : -- ftruncate mapped
 * check: bug kind=crash says=SIGBUS : --strategy optimal -- ftruncate longer
 * check: complete traces=1 never=except_for : -- ftruncate joined
 * check: complete traces=2 never=except_for : -- ftruncate page
 * check: bug kind=crash says=SIGBUS : --model tso -- truncate before
 * check: bug kind=crash says=SIGBUS : -- truncate after
 * check: complete traces=1 never=except_for : -- truncate joined
 * check: bug kind=crash says=SIGBUS : -- open before
 * check: bug kind=crash says=SIGBUS : -- open after
 * check: bug kind=crash says=SIGBUS : -- creat before
 * check: bug kind=crash says=SIGBUS : -- fopen before
 * check: bug kind=crash says=SIGBUS : -- fopen after
 * long: complete traces=1 never=except_for : -- fopen joined
 * check: bug kind=crash says=SIGBUS : -- raw before
 * check: bug kind=crash says=SIGBUS : -- private before
 * check: bug kind=assert : -- fallocate before
 * check: bug kind=assert : -- fallocate after
 * check: complete traces=1 never=except_for : -- fallocate joined
 * check: complete traces=1 never=except_for : -- fallocate page
 * check: bug kind=crash says=SIGBUS : -- grow before
 * check: bug kind=crash says=SIGBUS : -- grow after
 * check: bug kind=crash says=SIGBUS : -- grow mapped
 * check: bug kind=crash says=SIGBUS : -- posix_fallocate before
 * check: bug kind=crash says=SIGBUS : -- shm_open before
 * check: complete traces=2 never=except_for : -- ftruncate locked
 * check: complete traces=2 never=except_for : -- truncate locked
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096

static char path[100];
static int file;
static volatile char *p;
static const char *how, *order;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int is(const char *name)
{
	return !strcmp(how, name);
}

static int grows(void)
{
	return is("grow") || is("posix_fallocate");
}

static void map(void)
{
	p = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, is("private") ? MAP_PRIVATE : MAP_SHARED, file, 0);
	assert(p != MAP_FAILED);
}

static void *call(void *unused)
{
	if (is("ftruncate") || is("private"))
		ftruncate(file, PAGE);
	else if (is("truncate"))
		truncate(path, PAGE);
	else if (is("open"))
		open(path, O_RDWR | O_TRUNC);
	else if (is("creat"))
		creat(path, 0600);
	else if (is("fopen"))
		fopen(path, "w");
	else if (is("shm_open"))
		shm_open(strrchr(path, '/'), O_RDWR | O_TRUNC, 0600);
	else if (is("raw"))
		syscall(SYS_ftruncate, file, PAGE);
	else if (is("fallocate"))
		fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, PAGE, PAGE);
	else if (is("grow"))
		ftruncate(file, 2 * PAGE);
	else
		posix_fallocate(file, 0, 2 * PAGE);
	return unused;
}

static void *use(void *unused)
{
	volatile char *at = strcmp(order, "page") ? p + PAGE : p;

	if (is("fallocate"))
		assert(*at == 1);
	else
		*at = 1;
	return unused;
}

static void *locked(void *unused)
{
	pthread_mutex_lock(&m);
	use(NULL);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;

	how = argv[1];
	order = argv[2];
	snprintf(path, sizeof(path), "%s", is("shm_open") ? "/dev/shm/truncated_map" : "truncated_map.file");
	file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (is("ftruncate"))
		file = memfd_create("file", 0);
	assert(file >= 0);
	ftruncate(file, 2 * PAGE);
	if (strcmp(order, "mapped"))
		map(), p[0] = p[PAGE] = 1;
	if (grows())
		ftruncate(file, PAGE);
	if (!strcmp(order, "joined"))
		use(NULL);
	if (!strcmp(order, "after") || !strcmp(order, "locked")) {
		pthread_create(&t, 0, strcmp(order, "locked") ? use : locked, 0);
		if (!strcmp(order, "locked"))
			locked(NULL), pthread_join(t, 0);
		call(NULL);
		if (!strcmp(order, "locked"))
			return 0;
	} else {
		pthread_create(&t, 0, call, 0);
		if (!strcmp(order, "mapped"))
			map();
		if (!strcmp(order, "longer"))
			ftruncate(file, 2 * PAGE);
		if (strcmp(order, "joined"))
			use(NULL);
	}
	pthread_join(t, 0);
	return 0;
}
