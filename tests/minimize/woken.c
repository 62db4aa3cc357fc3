/* Fails when the wait on the futex was really one, on a word that the threads also access. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *wake(void *unused)
{
	atomic_store(&word, 1);
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int waited = 0;

	pthread_create(&t, NULL, wake, NULL);
	while (!atomic_load(&word))
		waited |= !syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
	pthread_join(t, NULL);
	assert(!waited);
	return 0;
}
