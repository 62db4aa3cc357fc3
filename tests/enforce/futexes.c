/*
 * Waits in futexes in all ways: with a timeout that may expire, for bits, for a value that has changed, and two
 * threads on one word. It passes in every schedule. With INLINE it makes the calls by its own instructions, and blocks
 * all signals.
 */
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include "window.h"
static uint32_t flag, door, turn;
static int passed;

#ifdef INLINE
static long futex(uint32_t *word, int op, uint32_t value, const struct timespec *timeout, uint32_t bits)
{
	register const struct timespec *until __asm__("r10") = timeout;
	register long more __asm__("r8") = 0, last __asm__("r9") = bits;
	long r = SYS_futex;

	__asm__ volatile("syscall"
			 : "+a"(r)
			 : "D"(word), "S"(op | FUTEX_PRIVATE_FLAG), "d"(value), "r"(until), "r"(more), "r"(last)
			 : "rcx", "r11", "memory");
	errno = r < 0 ? (int)-r : errno;
	return r < 0 ? -1 : r;
}
#else
static long futex(uint32_t *word, int op, uint32_t value, const struct timespec *timeout, uint32_t bits)
{
	return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, timeout, NULL, bits);
}
#endif

static void *timed(void *a)
{
	const struct timespec soon = {0, 100000};

	if (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE) && futex(&flag, FUTEX_WAIT, 0, &soon, 0))
		assert(errno == ETIMEDOUT || errno == EAGAIN);
	return a;
}

static void *bits(void *a)
{
	while (!__atomic_load_n(&door, __ATOMIC_ACQUIRE))
		if (futex(&door, FUTEX_WAIT_BITSET, 0, NULL, (uint32_t)(uintptr_t)a))
			assert(errno == EAGAIN);
	__atomic_fetch_add(&passed, 1, __ATOMIC_SEQ_CST);
	return a;
}

static void *passes_turn(void *a)
{
	uint32_t now = (uint32_t)(uintptr_t)a;

	while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != now)
		futex(&turn, FUTEX_WAIT, 1 - now, NULL, 0);
	__atomic_store_n(&turn, 1 - now, __ATOMIC_RELEASE);
	futex(&turn, FUTEX_WAKE, 1, NULL, 0);
	return a;
}

int main(int argc, char **argv)
{
	void *(*what[])(void *) = {timed, bits, bits, passes_turn, passes_turn};
	int first = argc > 1 && argv[1][0] == 't' ? 3 : argc > 1 && argv[1][0] == 'b' ? 1 : 0, n = first == 3 ? 2 : first == 1 ? 2 : 1;
	pthread_t t[2];
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, what[first + i], (void *)(uintptr_t)(first == 3 ? i : i + 1));
	window(1);
	__atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
	futex(&flag, FUTEX_WAKE, 1, NULL, 0);
	__atomic_store_n(&door, 1, __ATOMIC_SEQ_CST);
	futex(&door, FUTEX_WAKE_BITSET, 1, NULL, 2);
	futex(&door, FUTEX_WAKE_BITSET, 1, NULL, 1);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	assert(first != 1 || passed == 2);
	return 0;
}
