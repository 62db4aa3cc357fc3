#include "preload/base/safe_read.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/uio.h>

#include "base/session.h"
#include "preload/base/sys.h"

#define WORD 8 /* bytes of the kernel's sigset_t */

/* Returns whether the aligned word can be read. The kernel reads the word as a signal set before it rejects the invalid operation. */
static bool readable(uint64_t word)
{
	return sys_call4(SYS_rt_sigprocmask, -1, (long)word, 0, WORD) != -EFAULT;
}

/* Replaces process_vm_readv in sandboxes that refuse it, such as Docker's default profile without CAP_SYS_PTRACE. */
static size_t read_by_pages(uint64_t addr, char *to, size_t size)
{
	size_t done = 0;

	while (done < size && readable((addr + done) & -(uint64_t)WORD)) {
		uint64_t at = addr + done, rest = SESSION_PAGE - at % SESSION_PAGE;
		size_t n = size - done < rest ? size - done : (size_t)rest;

		memcpy(to + done, (const void *)at, n);
		done += n;
	}
	return done;
}

size_t safe_read(uint64_t addr, void *to, size_t size)
{
	static bool refused;
	struct iovec mine = {to, size}, theirs = {(void *)addr, size};
	long n = refused ? -EPERM : sys_call6(SYS_process_vm_readv, sys_getpid(), (long)&mine, 1, (long)&theirs, 1, 0);

	if (n >= 0)
		return (size_t)n;
	if (n == -EFAULT)
		return 0;
	refused = true;
	return read_by_pages(addr, to, size);
}
