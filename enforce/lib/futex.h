/* Waiting until a word changes. errno belongs to the program and stays as it is. */
#ifndef SIMUL_ENFORCE_FUTEX_H
#define SIMUL_ENFORCE_FUTEX_H

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps while the word has this value, for at most `limit`; NULL: without a limit. May return early. */
static inline void futex_wait(uint32_t *word, uint32_t value, const struct timespec *limit)
{
	int saved = errno;

	syscall(SYS_futex, word, FUTEX_WAIT, value, limit, NULL, 0);
	errno = saved;
}

static inline void futex_wake_all(uint32_t *word)
{
	int saved = errno;

	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	errno = saved;
}

#endif
