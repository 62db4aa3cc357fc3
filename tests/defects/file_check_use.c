/* Check, then use: another thread removes the file in between. The order of calls on files was not tried: one trace, complete.
 * The thread removes the file before the check, between check and use (and has ended before the assertion fails, or not), or after the use. With a lock around both, before or after. With raw system
 * calls it is the same.
 * check: bug kind=assert says=change_the_entry_check replays=3 :
 * check: bug traces=4 : --keep-going --strategy optimal
 * check: bug traces=4 : --keep-going --strategy exhaustive
 * check: bug kind=assert : -- raw
 * check: complete traces=2 : -- fixed
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *how;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *cleaner(void *x)
{
	if (!strcmp(how, "fixed"))
		pthread_mutex_lock(&m);
	if (!strcmp(how, "raw"))
		syscall(SYS_unlink, "check_use.tmp");
	else
		unlink("check_use.tmp");
	if (!strcmp(how, "fixed"))
		pthread_mutex_unlock(&m);
	return x;
}

int main(int argc, char **argv)
{
	pthread_t t;

	how = argc > 1 ? argv[1] : "";
	close(open("check_use.tmp", O_CREAT | O_WRONLY, 0600));
	pthread_create(&t, 0, cleaner, 0);
	if (!strcmp(how, "fixed"))
		pthread_mutex_lock(&m);
	if (!strcmp(how, "raw") ? !syscall(SYS_access, "check_use.tmp", R_OK) : !access("check_use.tmp", R_OK)) {
		int f = !strcmp(how, "raw") ? (int)syscall(SYS_openat, AT_FDCWD, "check_use.tmp", O_RDONLY) : open("check_use.tmp", O_RDONLY);
		assert(f >= 0);
		close(f);
	}
	if (!strcmp(how, "fixed"))
		pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	unlink("check_use.tmp");
}
