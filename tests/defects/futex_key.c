/* Futex calls with FUTEX_PRIVATE_FLAG and without it never meet, and calls without it meet at different addresses of one shared page. simul took the
 * address alone.
 * mixed, mixed2: the flag on one side only, so the wake-up is lost if the thread waits already. private, shared: the correct variants.
 * twice: a memfd mapped twice, waited for (with a timeout) by one address and woken by the other: exit status 7. With the flag (twice_private) and
 * for a private mapping of the page (copy) no thread is woken.
 * check: bug kind=deadlock : -- mixed
 * check: bug kind=deadlock : -- mixed2
 * check: complete traces=4 : -- private
 * check: complete traces=4 : -- shared
 * check: bug kind=exit : -- twice
 * check: complete : -- twice_private
 * check: complete : -- copy
 */
#include <linux/futex.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int flag, *waits, *wakes;
static int wait_private, wake_private;

static void *waiter(void *x)
{
	struct timespec second = { 1, 0 };
	if (!__atomic_load_n(waits, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, waits, wait_private ? FUTEX_WAIT_PRIVATE : FUTEX_WAIT, 0, waits == wakes ? NULL : &second, NULL, 0);
	return x;
}

int main(int argc, char **argv)
{
	const char *what = argv[argc - 1];
	pthread_t t;

	wait_private = !strcmp(what, "mixed") || strstr(what, "private");
	wake_private = !strcmp(what, "mixed2") || strstr(what, "private");
	waits = wakes = &flag;
	if (strstr(what, "twice") || !strcmp(what, "copy")) {
		int fd = memfd_create("page", 0);
		(void)!ftruncate(fd, 8192);
		waits = mmap(NULL, 4096, PROT_READ | PROT_WRITE, *what == 'c' ? MAP_PRIVATE : MAP_SHARED, fd, 4096);
		wakes = (int *)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) + 1024;
	}
	pthread_create(&t, NULL, waiter, NULL);
	if (waits == wakes)
		__atomic_store_n(waits, 1, __ATOMIC_SEQ_CST);
	long woken = syscall(SYS_futex, wakes, wake_private ? FUTEX_WAKE_PRIVATE : FUTEX_WAKE, 1, NULL, NULL, 0);
	pthread_join(t, NULL);
	return waits != wakes && woken ? 7 : 0;
}
