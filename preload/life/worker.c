#include "preload/life/worker.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

#include "explore/shared/common.h"
#include "preload/control/ctl.h"
#include "preload/life/snapshot.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define WAIT_NS 50000000 /* longest time between two looks at the supervisor's requests */

static void *search(void)
{
	return ctl_segment(ctl_session->layout.explore_off);
}

static void *common_search(void)
{
	return ctl_segment(ctl_session->layout.common_search_off);
}

static struct session_common *common(void)
{
	return ctl_segment(ctl_session->layout.common_off);
}

static bool shared(void)
{
	return ctl_session->ctl.requests.shared_search != 0;
}

/* ---- mapping ---- */

static bool map_fixed(char *at, uint64_t bytes, int fd, uint64_t off)
{
	void *p = sys_mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)off);
	return p == at;
}

struct session *worker_map(struct session *s, int fd)
{
	const struct session_layout l = s->layout;
	int common_fd = s->config.common_fd;
	sys_munmap(s, l.size);
	char *at = sys_mmap(SYS_AWAY(128), l.size + l.common_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sys_failed((long)at))
		return NULL;
	if (!map_fixed(at, l.size, fd, 0) || !map_fixed(at + l.common_off, l.common_size, common_fd, 0) ||
		!map_fixed(at + l.names_off, l.names_size, common_fd, l.common_names))
		return NULL;
	return (struct session *)at;
}

/* ---- waiting for each other ---- */

static void wait_for(const uint32_t *word, uint32_t value)
{
	const struct timespec a_while = { .tv_nsec = WAIT_NS };
	sys_futex_wait(word, value, &a_while);
}

static void wake(uint32_t *word)
{
	sys_futex_wake(word, INT32_MAX);
}

static uint64_t now_ns(void)
{
	struct timespec t;
	sys_clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool has_common(void)
{
	return __atomic_load_n(&ctl_session->ctl.requests.common_granted, __ATOMIC_ACQUIRE);
}

/* Asks the supervisor for the common part, which it gets from the other machines. */
static void own(void)
{
	struct session_control *c = &ctl_session->ctl;
	c->execution.common_used = 1;
	if (has_common())
		return;
	__atomic_store_n(&c->handshake.common_wanted, 1, __ATOMIC_RELEASE);
	worker_ring();
	while (!__atomic_load_n(&c->requests.common_granted, __ATOMIC_ACQUIRE)) {
		wait_for(&c->requests.common_granted, 0);
		c->execution.progress++; /* as in worker_await_budget */
	}
	c->execution.common_since = now_ns();
}

bool worker_returns_common(void)
{
	struct session_control *c = &ctl_session->ctl;
	bool used = c->execution.common_used;
	c->execution.common_used = 0;
	if (!shared() || !has_common())
		return false;
	return !used || explore_waiting(search()) || now_ns() - c->execution.common_since >= c->requests.keep_ns;
}

static const struct explore_host local_host = { .wait = wait_for, .wake = wake };
static const struct explore_host copy_host = { .wait = wait_for, .wake = wake, .own = own };

void worker_attach(void)
{
	if (shared())
		explore_use_host(search(), ctl_session->config.machines ? &copy_host : &local_host);
}

void worker_ring(void)
{
	if (!ctl_session->layout.common_size)
		return;
	__atomic_add_fetch(&common()->doorbell, 1, __ATOMIC_RELEASE);
	wake(&common()->doorbell);
}

/* ---- planning ---- */

/* The supervisor shares the budget with other machines. */
static enum budget reserved(struct session_control *c)
{
	if (explore_stats(search())->executions < __atomic_load_n(&c->requests.may, __ATOMIC_ACQUIRE))
		return BUDGET_LEFT;
	if (!__atomic_load_n(&c->handshake.budget_wanted, __ATOMIC_ACQUIRE)) {
		__atomic_store_n(&c->handshake.budget_wanted, 1, __ATOMIC_RELEASE);
		worker_ring();
	}
	return BUDGET_TAKEN;
}

enum budget worker_count(void)
{
	struct session *s = ctl_session;
	uint64_t most = s->config.max_executions;
	if (s->config.machines)
		return reserved(&s->ctl);
	if (s->ctl.execution.counted)
		return BUDGET_LEFT;
	if (__atomic_fetch_add(&common()->begun, 1, __ATOMIC_ACQ_REL) >= most) {
		__atomic_sub_fetch(&common()->begun, 1, __ATOMIC_ACQ_REL);
		return __atomic_load_n(&common()->complete, __ATOMIC_ACQUIRE) >= most ? BUDGET_USED : BUDGET_TAKEN;
	}
	s->ctl.execution.counted = 1;
	return BUDGET_LEFT;
}

void worker_await_budget(uint32_t wakeup)
{
	wait_for(explore_wakeup(common_search()), wakeup);
	ctl_session->ctl.execution.progress++; /* counts as progress, because the watchdog must not take this wait for a hang */
}

/* Ends the counted execution, if there is one. Returns whether there was one and the budget was used up. */
static bool end_counted(bool complete)
{
	struct session_control *c = &ctl_session->ctl;
	bool counted = c->execution.counted, scarce = counted && __atomic_load_n(&common()->begun, __ATOMIC_ACQUIRE) >= ctl_session->config.max_executions;
	if (counted && complete)
		__atomic_add_fetch(&common()->complete, 1, __ATOMIC_ACQ_REL);
	else if (counted)
		__atomic_sub_fetch(&common()->begun, 1, __ATOMIC_ACQ_REL);
	c->execution.counted = 0;
	return scarce;
}

void worker_ended(bool complete)
{
	if (!end_counted(complete))
		return;
	__atomic_add_fetch(explore_wakeup(common_search()), 1, __ATOMIC_ACQ_REL); /* other workers may wait in worker_await_budget */
	wake(explore_wakeup(common_search()));
}

uint32_t worker_wakeup(void)
{
	return shared() ? __atomic_load_n(explore_wakeup(common_search()), __ATOMIC_ACQUIRE) : 0;
}

/* Returns whether the supervisor wants the worker to pause or stop. */
static bool is_asked(void)
{
	const struct session_control *c = &ctl_session->ctl;
	return __atomic_load_n(&c->requests.pause_request, __ATOMIC_ACQUIRE) || __atomic_load_n(&c->requests.stop_request, __ATOMIC_ACQUIRE);
}

bool worker_wait(uint32_t wakeup)
{
	if (!shared() || !explore_waiting(search()))
		return false;
	end_counted(false); /* Another worker may need this part of the budget. No worker is woken, because a wakeup would end this wait too. */
	if (has_common())
		return true; /* it goes back first */
	/* Looking for work is expensive if the common part is a copy. */
	do
		worker_await_budget(wakeup);
	while (ctl_session->config.machines && worker_wakeup() == wakeup && !is_asked());
	return true;
}

bool worker_is_torn(void)
{
	return shared() && explore_worker(search()) && explore_common_changing(common_search()) == explore_worker(search());
}
