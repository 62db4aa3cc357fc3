/* What the hooks of poll, epoll_wait (hook_poll.c) and select (hook_select.c) share. */
#ifndef SIMUL_HOOKS_POLL_H
#define SIMUL_HOOKS_POLL_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Looks the descriptors up, once for the whole call. Returns what the functions below take as `held`: fds itself, or a copy with duplicates, so that it
   does not matter what becomes of the numbers. poll_release frees it, inside simul or outside. */
struct pollfd *poll_hold(struct pollfd *fds, unsigned n, const void *pc);
void poll_release(struct pollfd *fds, struct pollfd *held, unsigned n);
/* Performs the event of a wait for these descriptors. masked: the call has a signal mask of its own. Returns 0 or
   CTL_EINTR. */
int64_t poll_wait(struct pollfd *held, unsigned n, uint64_t deadline, bool masked, const void *pc);
/* Does a poll that does not wait, with its results in fds. If nothing is ready, lets a timerfd that is due before the deadline fire, and polls again. */
long poll_now(struct pollfd *fds, struct pollfd *held, unsigned n, uint64_t deadline);
/* For a call with a timeout when nothing is ready: moves virtual time to the deadline, or to an earlier timer. Returns whether a timer's
   handler ran. */
bool poll_timed_out(uint64_t deadline);
/* Returns the deadline of a timeout; NULL: there is none. */
uint64_t poll_deadline(const struct timespec *ts);

/* Sets the signal mask for the time of the wait, unless `set` is NULL. Returns the mask from before. */
uint64_t poll_mask_begin(const sigset_t *set, const void *pc);
/* Restores the mask. Called outside simul. Returns r and keeps errno. */
int poll_mask_end(const sigset_t *set, uint64_t was, int r);

#endif
