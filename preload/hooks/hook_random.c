/* getrandom, getentropy, arc4random: seeded random bytes (random.h). Reads of /dev/urandom come here through hook_fd.c. */
#include "base/hash.h"
#include "preload/base/real.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "preload/control/ctl.h"
#include "preload/hooks/random.h"

#include "preload/memory/unforeseen.h"
#include "preload/base/rules.h"

static uint64_t drawn[MAX_THREADS]; /* number of 64-bit words that each thread has drawn; in private memory, so a rewind resets it */

/* splitmix64 of a counter that consists of the seed, the thread and the number of the word. */
static uint64_t next_word(void)
{
	thread_id t = ctl_self();
	uint64_t z = ctl_session->config.settings.seed * UINT64_C(0xd1342543de82ef95) +
		((uint64_t)t << 40) * UINT64_C(0xff51afd7ed558ccd) +
		++drawn[t] * SPLITMIX_STEP;

	return splitmix_output(z);
}

void random_fill(void *buf, size_t n)
{
	value_unforeseen();
	for (size_t i = 0; i < n; i += 8) {
		uint64_t w = next_word();

		memcpy((char *)buf + i, &w, n - i < 8 ? n - i : 8);
	}
}

ssize_t getrandom(void *buf, size_t n, unsigned flags)
{
	if (!ctl_enter())
		return real_getrandom(buf, n, flags);
	random_fill(buf, n);
	ctl_leave();
	return (ssize_t)n;
}

int getentropy(void *buf, size_t n)
{
	if (n > 256 || !ctl_enter())
		return real_getentropy(buf, n);
	random_fill(buf, n);
	ctl_leave();
	return 0;
}

uint32_t arc4random(void)
{
	uint32_t w;

	if (!ctl_enter())
		return real_arc4random();
	random_fill(&w, sizeof(w));
	ctl_leave();
	return w;
}

void arc4random_buf(void *buf, size_t n)
{
	if (!ctl_enter()) {
		real_arc4random_buf(buf, n);
		return;
	}
	random_fill(buf, n);
	ctl_leave();
}

uint32_t arc4random_uniform(uint32_t bound)
{
	uint64_t w;

	if (!ctl_enter())
		return real_arc4random_uniform(bound);
	random_fill(&w, sizeof(w));
	ctl_leave();
	return bound ? (uint32_t)(w % bound) : 0;
}
