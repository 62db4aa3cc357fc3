/*
 * Descriptors: the open file that each number refers to, and blocking operations on it.
 *
 * Regular files, directories, /dev/null and the like are *plain*: operations on them are no events, and hooks pass them to libc. Every
 * other file has a `struct open_file`, the object of its events. Both ends of a pipe or socket pair are one object. All other sockets are
 * one object together, since data may travel between any two of them.
 *
 * A poll of many files and an epoll instance are *groups*. Each operation on a file is an event on the file and its group, so a poll is one
 * event on the group. Joining a group is an event on both. All functions are called inside simul.
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
	FILE_TIMER,   /* timerfd_create; an eventfd in the kernel */
	FILE_EPOLL,
	FILE_RANDOM,  /* /dev/random, /dev/urandom */
	FILE_GROUP,   /* no file: the files that some poll watches */
	FILE_DEVICE,  /* terminals and all other files that a thread can wait for */
};

struct open_file {
	uint8_t kind;      /* enum file_kind; 0: free slot */
	bool external;     /* another process may read or write its other end */
	uint16_t refs;     /* descriptors in the table */
	uint32_t serial;   /* the object's "address", from 1; never used twice */
	uint32_t flags;    /* eventfd: EFD_SEMAPHORE */
	uint64_t dev, ino; /* fstat of its descriptors must show these; 0: anonymous */
	struct open_file *group; /* NULL, or the group it joined */
};

/* ---- fd_table.c ---- */

/* Returns the open file of fd; NULL: a plain file, or fd is not open. */
struct open_file *fd_lookup(int fd);
/* Returns what the table has for fd, without a system call. NULL: a plain file, or an unknown one. fd may stand for another file by now.
   May be called outside control. */
const struct open_file *fd_known(int fd);
/* Sets text to what the kernel says of fd (/proc/self/fdinfo), cut to `size`; "" if that cannot be read. */
void fd_info(int fd, char *text, size_t size);
/* fd was closed, or refers to an unknown file now: fd_lookup examines it again. */
void fd_forget(int fd);
/* Forgets descriptors that were closed by calls that no hook sees, such as fclose. */
void fd_drop_closed(void);
/* fd refers to a plain file now, or to *f. */
void fd_set_plain(int fd);
void fd_assign(int fd, struct open_file *f);
/* `to` is now a duplicate of `from`. */
void fd_copy(int from, int to);
/* Creates an open file of this kind and assigns it to fd, unless fd is negative. */
struct open_file *fd_new(enum file_kind kind, int fd);
/* Returns the open file that stands for all sockets outside of socket pairs. */
struct open_file *fd_network(void);
/* Returns the k-th (from 0) open file in use; NULL after the last. */
struct open_file *fd_file_at(unsigned k);
/* Returns a number that is greater than all open descriptors, or MAX_FDS. */
int fd_end(void);
/* Returns the next descriptor of f greater than `after`; -1: none. */
int fd_next(const struct open_file *f, int after);

/* Returns the model object of f. */
object_id fd_object(const struct open_file *f);
/* Returns the group at the end of f's chain; f itself if it joined none. */
struct open_file *fd_root(struct open_file *f);

/* ---- fd_wait.c: blocking ---- */

/*
 * The files that a pending operation accesses and waits for. op.arg[0] points to it, on the stack of the waiting thread. If a group grows
 * while the operation is pending, its objects are set again: they must depend on the state, not on when the operation was announced.
 */
struct fd_wait {
	struct open_file *file[2]; /* the files of its event; file[1] may be NULL */
	bool roots;         /* the event is on their groups instead */
	struct pollfd *fds; /* it is ready when any of them is */
	unsigned n;
	bool external;      /* another process may make one of them ready */
	bool patient;       /* it has waited a little real time already */
	bool timed;         /* set by fd_perform_op: it has a timeout of its own */
	uint64_t deadline;  /* the virtual time of that timeout; the timers that it watches are not included */
};

#define FD_TRY 1   /* never waits: O_NONBLOCK, or a zero timeout */

struct fd_request {
	enum event_kind kind;
	int fd;
	short events;       /* POLLIN, POLLOUT: it waits for these */
	unsigned flags;     /* FD_* */
	uint64_t deadline;  /* virtual time; OP_NO_DEADLINE: none. With a deadline the event is always enabled, and the caller polls afterwards */
	const void *pc;
};

/* Sets the objects and the deadline of *op from w, and performs it. `restartable` and result: as signals_perform. */
int64_t fd_perform_op(struct op *op, struct fd_wait *w, bool restartable);
/* Performs the event on f. Returns 0, or CTL_EINTR when a handler interrupted it. */
int64_t fd_perform(struct open_file *f, const struct fd_request *req);
/* A timer was set or fired, or a group grew: updates the pending operations that this changes. */
void fd_refresh_waits(void);
/* Performs an event on f that never waits. */
void fd_touch(struct open_file *f, const void *pc);
/* Makes f and g members of one group. That is an event unless they are already. */
void fd_join(struct open_file *f, struct open_file *g, const void *pc);
/* Returns whether fd has O_NONBLOCK. */
bool fd_nonblocking(int fd);

/* ---- timerfd.c ---- */

/* Returns the virtual time at which the first armed timer among these descriptors is due, without distant ones (timerfd.h);
   TIMERS_NEVER: there is none. */
uint64_t timerfd_next(const struct pollfd *fds, unsigned n);
/* The running thread waits for these descriptors, and none is ready: advances its clock to the first timer that is due by the deadline, and
   fires it. Returns false if there is none. */
bool timerfd_elapse(const struct pollfd *fds, unsigned n, uint64_t deadline);
/* No thread is enabled, and t waits for these descriptors: fires the first timer among them. Returns false if there is none. In scheduler
   context. */
bool timerfd_fire_idle(thread_id t, const struct pollfd *fds, unsigned n);
/* Returns whether the timer can be read: now (`try`), or after time has passed until it is due. */
bool timerfd_readable(int fd, bool try);

/* ---- fd_restore.c: files that executions share because they start from one checkpoint ---- */

/* At the checkpoint: saves the state of pipes, socket pairs, eventfds and epoll instances. */
void fd_remember(void);
/* The same in the middle of an execution. Returns false if some of them cannot be created again. */
bool fd_mark(void);
/* In the forked process of an execution, before the program continues: creates them again, with the saved state. */
void fd_restore(void);
/* Returns the k-th (from 0) open file that an epoll instance watches; NULL after the last. */
const struct open_file *fd_epoll_watched(const struct open_file *ep, unsigned k);
/* epoll_ctl(ep, op, fd, ev) succeeded. */
void fd_epoll_changed(struct open_file *ep, int op, int fd, const struct epoll_event *ev);
/* The last descriptor of ep was closed: it watches nothing any more. */
void fd_epoll_closed(const struct open_file *ep);

/* operations.ready, operations.wait_external and operations.awaits_process */
bool fd_ready(void *ctx, thread_id t, const struct op *op);
bool fd_wait_external(void);
thread_id fd_awaits_process(void);

#endif
