#include "preload/kernel/process_state.h"

#include <sched.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "preload/base/far_fd.h"
#include "preload/base/outside.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

/* The first version of the kernel's struct sched_attr. */
struct scheduling {
	uint32_t size, policy;
	uint64_t flags;
	int32_t niceness;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static bool rewinding;
static uint32_t kept; /* bits 1 << enum kept_state */
static int directory; /* a descriptor */
static mode_t mask;
static uint64_t processors[16];
static long processors_bytes;
static struct scheduling scheduling;
static char name[16];
static struct rlimit limits[KEPT_STATES - KEPT_LIMIT];

void state_begin(void)
{
	rewinding = true;
	kept = 0;
}

static bool keep_directory(void)
{
	int fd = (int)sys_open(".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	directory = fd < 0 ? -1 : far_fd(fd);
	if (directory >= LESS_FAR_FD)
		return true;
	if (directory >= 0)
		sys_close(directory);
	return false;
}

static bool keep_umask(void)
{
	mask = (mode_t)sys_call1(SYS_umask, 0);
	sys_call1(SYS_umask, mask);
	return true;
}

static bool keep_limit(unsigned what)
{
	return !sys_call4(SYS_prlimit64, 0, what, 0, (long)&limits[what]);
}

static bool keep(unsigned state)
{
	switch (state) {
	case KEPT_DIRECTORY:
		return keep_directory();
	case KEPT_UMASK:
		return keep_umask();
	case KEPT_PROCESSORS:
		processors_bytes = sys_call3(SYS_sched_getaffinity, 0, sizeof processors, (long)processors);
		return processors_bytes > 0;
	case KEPT_SCHEDULING:
		return !sys_call4(SYS_sched_getattr, 0, (long)&scheduling, sizeof scheduling, 0);
	case KEPT_NAME:
		return !sys_prctl(PR_GET_NAME, (unsigned long)name, 0);
	default:
		return state < KEPT_STATES && keep_limit(state - KEPT_LIMIT);
	}
}

bool state_keep(unsigned state)
{
	if (!rewinding || rewind_tainted || state >= KEPT_STATES)
		return false;
	if (!(kept & 1u << state) && !keep(state))
		return false;
	kept |= 1u << state;
	return true;
}

static bool put_back(unsigned state)
{
	switch (state) {
	case KEPT_DIRECTORY:
		return !sys_call1(SYS_fchdir, directory) && !sys_close(directory);
	case KEPT_UMASK:
		sys_call1(SYS_umask, mask);
		return true;
	case KEPT_PROCESSORS:
		return !sys_call3(SYS_sched_setaffinity, 0, processors_bytes, (long)processors);
	case KEPT_SCHEDULING:
		return !sys_call3(SYS_sched_setattr, 0, (long)&scheduling, 0);
	case KEPT_NAME:
		return !sys_prctl(PR_SET_NAME, (unsigned long)name, 0);
	default:
		return !sys_call4(SYS_prlimit64, 0, state - KEPT_LIMIT, (long)&limits[state - KEPT_LIMIT], 0);
	}
}

bool state_kept_any(void)
{
	return kept;
}

bool state_put_back(void)
{
	bool ok = true;
	for (unsigned i = 0; kept >> i; i++)
		if (kept >> i & 1)
			ok &= put_back(i);
	return ok;
}
