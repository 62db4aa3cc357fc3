/* Descriptors of simul in the program's process. The program must get the same low numbers in a search, in a replay and without simul. */
#ifndef SIMUL_FAR_FD_H
#define SIMUL_FAR_FD_H

#include <fcntl.h>

#include "preload/base/sys.h"

#define FAR_FD 900 /* below the usual limit, and rarely used */
#define LESS_FAR_FD 210 /* below the limit that simul needs, and above the numbers of the session */

/* Moves a descriptor to a high number, where it is closed on exec. Returns the new number; if the limit is too low, returns `fd`. */
static inline int far_fd(int fd)
{
	long far = sys_fcntl(fd, F_DUPFD_CLOEXEC, FAR_FD);
	if (sys_failed(far))
		far = sys_fcntl(fd, F_DUPFD_CLOEXEC, LESS_FAR_FD);
	if (sys_failed(far))
		return fd;
	sys_close(fd);
	return (int)far;
}

#endif
