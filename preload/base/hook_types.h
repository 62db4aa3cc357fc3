/*
 * The types that the prototypes of hooks.def need, and HOOK_EXPORT, which makes a hook visible to the program.
 *
 * Everything in preload/ is built with hidden visibility. real.h declares each MODEL and REFUSE name again with HOOK_EXPORT, so the hooks
 * need no attribute of their own. The compiler checks that hooks.def, libc's headers and the hook agree on the type.
 */
#ifndef SIMUL_HOOK_TYPES_H
#define SIMUL_HOOK_TYPES_H

/* libc's headers bind these names to other symbols with asm labels, but the hooks must define symbols of exactly these names. So the
   declarations in the headers get other names. */
#define pthread_yield simul_header_pthread_yield
#define pthread_mutex_consistent_np simul_header_mutex_consistent_np
#define sigpause simul_header_sigpause

#include <aio.h>
#include <fcntl.h>
#include <malloc.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

/* Old symbols that no header declares any more. */
int __xmknod(int, const char *, mode_t, dev_t *);
int __xmknodat(int, int, const char *, mode_t, dev_t *);
FILE *_IO_fopen(const char *, const char *);
void cfree(void *);

#undef pthread_yield
#undef pthread_mutex_consistent_np
#undef sigpause

#define HOOK_EXPORT __attribute__((visibility("default")))

/* libc's headers have no names for these types. */
typedef void (*hook_void_fn)(void);
typedef void (*hook_arg_fn)(void *);
typedef void *(*hook_start_fn)(void *);
typedef void (*hook_signal_fn)(int);
typedef int (*hook_clone_fn)(void *);

#endif
