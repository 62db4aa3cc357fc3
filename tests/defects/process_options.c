/* One thread changes something that belongs to the process, another one asks for it: options set by prctl, the size of
 * a pipe, which libraries are loaded. simul made no events of these: one trace, in which the asking thread comes last,
 * or first.
 * check: bug kind=assert replays=2 : --strategy optimal -- dumpable first
 * check: bug kind=assert : -- dumpable last
 * check: bug kind=assert replays=2 : --strategy optimal -- reaper first
 * check: bug kind=assert replays=2 : --strategy optimal -- pipe first
 * check: bug kind=assert : -- pipe last
 * check: bug kind=assert replays=2 : --strategy optimal -- loaded first
 * check: bug kind=assert : -- loaded last
 * check: bug kind=assert replays=2 : --strategy optimal -- symbol first
 * check: bug kind=assert : -- symbol last
 * check: complete traces=1 : --strategy optimal -- other first
 */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const char *what;
static int ends[2];
static bool found;

static bool is(const char *name)
{
	return !strcmp(what, name);
}

static void *changes(void *arg)
{
	if (is("dumpable") || is("other"))
		prctl(PR_SET_DUMPABLE, 0);
	else if (is("reaper"))
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	else if (is("pipe"))
		fcntl(ends[1], F_SETPIPE_SZ, 131072);
	else
		dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
	return arg;
}

static void *asks(void *arg)
{
	int set = 0;

	if (is("dumpable"))
		found = !prctl(PR_GET_DUMPABLE);
	else if (is("reaper"))
		found = !prctl(PR_GET_CHILD_SUBREAPER, &set) && set;
	else if (is("pipe"))
		found = fcntl(ends[0], F_GETPIPE_SZ) == 131072;
	else if (is("loaded"))
		found = dlopen("libm.so.6", RTLD_NOW | RTLD_NOLOAD);
	else if (is("symbol"))
		found = dlsym(RTLD_DEFAULT, "cbrt");
	else
		fcntl(ends[0], F_GETPIPE_SZ);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	bool first = argc < 3 || !strcmp(argv[2], "first");

	what = argc > 1 ? argv[1] : "dumpable";
	assert(!pipe(ends));
	pthread_create(&a, NULL, first ? changes : asks, NULL);
	pthread_create(&b, NULL, first ? asks : changes, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(is("other") || (first ? found : !found));
	return 0;
}
