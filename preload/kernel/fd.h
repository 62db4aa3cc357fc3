/*
 * Descriptors: which open file a number stands for, and blocking operations on it.
 *
 * Regular files, directories, /dev/null and the like are *plain*: their operations are no events and pass
 * straight through. Everything else has a `struct open_file`, the object of the events. Both ends of a
 * pipe or socket pair are one object; all other sockets are one object together, since data may travel
 * between any two of them.
 *
 * A poll of many files and an epoll instance are *groups*: each operation on a file touches the file and
 * its group, so that a poll is one event on the group. Joining a group is an event on both.
 */
#ifndef SIMUL_FD_H
#define SIMUL_FD_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/types.h>

#include "sched/event.h"

/* The table knows descriptors below this. */
#define MAX_FDS 16384

enum file_kind {
	FILE_PIPE = 1,
	FILE_PAIR,    /* socketpair */
	FILE_NET,     /* all other sockets */
	FILE_EVENTFD,
	FILE_TIMER,   /* timerfd_create; for the kernel an eventfd */
	FILE_EPOLL,
	FILE_RANDOM,  /* /dev/random, /dev/urandom */
	FILE_GROUP,   /* no file: what some poll watches */
	FILE_DEVICE,  /* terminals and everything else that can be waited for */
};

struct open_file {
	uint8_t kind;      /* enum file_kind; 0: free slot */
	bool external;     /* may be served from outside the process */
	uint16_t refs;     /* descriptors in the table */
	uint32_t serial;   /* the object's "address", from 1; never used twice */
	uint32_t flags;    /* eventfd: EFD_SEMAPHORE */
	uint64_t dev, ino; /* of what the descriptors must show; 0: anonymous */
	struct open_file *group; /* NULL, or the group it joined */
};

/* ---- fd_table.c ---- */

/* The open file behind fd; NULL for plain and bad ones. Inside control. */
struct open_file *fd_lookup(int fd);
/* fd is a new descriptor of unknown kind / of a plain file / of *f / not open any more. */
void fd_forget(int fd);
void fd_set_plain(int fd);
void fd_assign(int fd, struct open_file *f);
/* Two numbers for one open file. */
void fd_copy(int from, int to);
struct open_file *fd_new(enum file_kind kind, int fd);
struct open_file *fd_network(void);
/* The k-th (from 0) open file in use; NULL after the last. And the next descriptor > after of f; -1: none. */
struct open_file *fd_file_at(unsigned k);
int fd_next(const struct open_file *f, int after);

object_id fd_object(const struct open_file *f);
/* The group at the end of the chain; f itself when it joined none. */
struct open_file *fd_root(struct open_file *f);

/* ---- fd_wait.c: blocking ---- */

/*
 * What a pending operation touches and waits for; op.arg[0] points to it, on the stack of the waiting thread.
 * Groups may grow while it is pending: then its objects are named anew, so that they are a function of
 * the state, not of when the operation was announced.
 */
struct fd_wait {
	struct open_file *file[2]; /* touched; file[1] may be NULL */
	bool roots;         /* it is their groups that are touched */
	struct pollfd *fds; /* ready when any of them is */
	unsigned n;
	bool external;      /* somebody outside may serve one */
	bool patient;       /* it has been given a little real time already */
	bool timed;         /* set by fd_perform_op: it has a time-out, */
	uint64_t deadline;  /* and this one, besides the timers that it watches */
};

#define FD_TRY 1   /* never waits: O_NONBLOCK, or a zero time-out */

struct fd_request {
	enum event_kind kind;
	int fd;
	short events;       /* POLLIN, POLLOUT; what it waits for */
	unsigned flags;     /* FD_* */
	uint64_t deadline;  /* OP_NO_DEADLINE; else it never waits, and the caller finds out */
	const void *pc;
};

/* Names the objects of *op after w, and performs it. */
int64_t fd_perform_op(struct op *op, struct fd_wait *w, bool restartable);
/* Performs the event on f. 0, or CTL_EINTR when a handler interrupted it. */
int64_t fd_perform(struct open_file *f, const struct fd_request *req);
/* A timer was set or has fired: waits that watch it get another time-out, or none. */
void fd_refresh_waits(void);
/* An event on f that never waits. */
void fd_touch(struct open_file *f, const void *pc);
/* Makes f and g members of one group; an event when they were not. */
void fd_join(struct open_file *f, struct open_file *g, const void *pc);
bool fd_nonblocking(int fd);

/* ---- hook_timerfd.c ---- */

/* Virtual time at which the first armed timer that a wait for these descriptors watches is due, without those that are far away;
   TIMERS_NEVER: there is none. */
uint64_t timerfd_next(const struct pollfd *fds, unsigned n);
/* The running thread waits for these, and nothing is ready: time passes until that, if it is not after the deadline, and it fires.
   false: there is none. */
bool timerfd_elapse(const struct pollfd *fds, unsigned n, uint64_t deadline);
/* No thread can go on, and t waits for these: the first timer among them fires. In scheduler context. false: there is none. */
bool timerfd_fire_idle(thread_id t, const struct pollfd *fds, unsigned n);
/* Can the timer be read, now (`try`) or when it is due? */
bool timerfd_readable(int fd, bool try);

/* ---- fd_restore.c: what executions that start from one checkpoint share ---- */

/* At the checkpoint: remembers the state of pipes, socket pairs, eventfds and epoll instances. */
void fd_remember(void);
/* The same in the middle of an execution. false: there are some that cannot be made anew. */
bool fd_mark(void);
/* In the forked process of an execution, before the program goes on: makes them anew, as they were. */
void fd_restore(void);
/* The k-th (from 0) open file that an epoll instance watches; NULL after the last. */
const struct open_file *fd_epoll_watched(const struct open_file *ep, unsigned k);
/* epoll_ctl was done. */
void fd_epoll_changed(struct open_file *ep, int op, int fd, const struct epoll_event *ev);
/* The last descriptor of ep was closed: it watches nothing any more. */
void fd_epoll_closed(const struct open_file *ep);

/* operations.ready and operations.wait_external */
bool fd_ready(void *ctx, thread_id t, const struct op *op);
bool fd_wait_external(void);

#endif
