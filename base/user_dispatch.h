/* The kernel's syscall user dispatch (Linux 5.11), where the headers do not have it. */
#ifndef SIMUL_USER_DISPATCH_H
#define SIMUL_USER_DISPATCH_H

#include <sys/prctl.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif
#ifndef SYS_USER_DISPATCH
#define SYS_USER_DISPATCH 2 /* si_code */
#endif

#endif
