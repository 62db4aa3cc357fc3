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

#include "preload/kernel/process.h"
#include "sched/event.h"

/* The table knows descriptors below this. */
#define MAX_FDS 16384

enum file_kind {
	FILE_PIPE = 1,
	FILE_PAIR,    /* socketpair */
	FILE_NET,     /* all other sockets */
	FILE_EVENTFD,
	FILE_TIMER,   /* made by timerfd_create; in the kernel it is an eventfd */
	FILE_EPOLL,
	FILE_RANDOM,  /* /dev/random, /dev/urandom */
	FILE_LOCKS,   /* all locks of files (file_locks.h); not a file */
	FILE_GROUP,   /* a group, not a file: the files that a poll watches */
	FILE_DEVICE,  /* terminals and all other files that a thread can wait for */
};

struct open_file {
	uint8_t kind;      /* enum file_kind; 0: free slot */
	bool made;         /* the running execution has made it, and all its descriptors are the execution's: a rewind closes them (fd_make) */
	bool saved;        /* fd_restore makes it again */
	bool stream;       /* FILE_PAIR: data have no borders (SOCK_STREAM) */
	bool external;     /* another process may read or write its other end */
	uint16_t refs;     /* number of descriptors in the table that refer to it */
	uint32_t serial;   /* serves as the address of the model object; from 1, never used twice */
	uint32_t flags;    /* eventfd: EFD_SEMAPHORE */
	uint32_t changes;  /* number of events on it that may have changed what another operation can do */
	uint64_t dev, ino; /* fstat of its descriptors must report these; 0: anonymous */
	uint64_t other_ino; /* FILE_PAIR: the inode of the other end; 0: unknown */
	struct open_file *group; /* the group that it has joined; NULL: none */
};

/* ---- fd_table.c ---- */

/* Returns the open file of fd; NULL: a plain file, or fd is not open. */
struct open_file *fd_lookup(int fd);
/* Returns the entry of the table for fd, without a system call; NULL: a plain file, or unknown. The entry may be out of date: fd may refer
   to another file by now. May be called outside control. */
const struct open_file *fd_known(int fd);
/* Copies the kernel's description of fd (/proc/self/fdinfo) to `text`, cut to `size` bytes; "" if it cannot be read. */
void fd_info(int fd, char *text, size_t size);
/* Returns the inode number of fd; 0: fd is not open. */
uint64_t fd_inode(int fd);
/* Sets *n to the counter of an eventfd. Returns false if it cannot be read. */
bool fd_counter(int fd, uint64_t *n);
/* Call it when fd was closed, or refers to an unknown file now. The next fd_lookup examines fd again. */
void fd_forget(int fd);
/* Forgets descriptors that were closed by calls that no hook sees, such as fclose. */
void fd_drop_closed(void);
/* Record that fd refers to a plain file now, or to *f. */
void fd_set_plain(int fd);
void fd_assign(int fd, struct open_file *f);
/* Records that `to` is a duplicate of `from` now. */
void fd_copy(int from, int to);
/* Creates an open file of this kind and assigns it to fd, unless fd is negative. */
struct open_file *fd_new(enum file_kind kind, int fd);
/* Like fd_new, for a file that the call has made and that no other process knows. Uses of it do not prevent a rewind. */
struct open_file *fd_make(enum file_kind kind, int fd);
/* Records that the call has opened a regular file or a directory for reading. A rewind closes it. Returns false for other files. */
bool fd_opened_to_read(int fd);
/* Returns whether fd is a descriptor of such files. Without a system call, like fd_known. */
bool fd_is_made(int fd);
/* Returns whether the running execution has made such files. */
bool fd_made_any(void);
/* Call it when the execution changes fd itself: its flags, its duplicates, or whether it is open. Returns whether a
   rewind undoes that: fd_is_made, or fd_restore makes its file again, which is noted. Without a system call, like
   fd_known. */
bool fd_put_back(int fd);
/* Call it before the executions of a process that will be rewound: the files that exist are older than these. From then
   on the process calls fd_restore before the next execution, if fd_older_used. */
void fd_all_older(void);
/* Returns whether the running execution has used an older file that fd_restore makes again. */
bool fd_older_used(void);
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
 * The files that a pending operation accesses and waits for. It lies on the stack of the waiting thread, and op.arg[0] points to it. If a
 * group grows while the operation is pending, the objects of the operation are set again: they must depend on the state, not on the time of
 * the announcement.
 */
struct fd_wait {
	struct open_file *file[2]; /* the files of its event; file[1] may be NULL */
	bool roots;         /* the event is on the groups of these files instead */
	struct pollfd *fds; /* the operation is ready when any of these descriptors is */
	unsigned n;
	bool changes;       /* FILES_CHANGES */
	bool external;      /* another process may make one of the descriptors ready */
	bool (*ready)(const struct fd_wait *w);   /* NULL, or says instead of `fds` whether the operation is ready */
	bool (*outside)(const struct fd_wait *w); /* NULL, or returns whether it waits for another process */
	uint64_t number;    /* for `ready`: what a write adds to the counter of an eventfd; changes of the file when the wait began */
	struct process_patience patience;
	uint64_t asked;     /* the ctl_moment for which `found` holds; 0: none */
	bool found;         /* a poll found one of the descriptors ready */
	bool ordered;       /* simul enforce knows the operation (enforce/lib/hook_fd.c) */
	bool timed;         /* the operation has a timeout of its own; set by fd_perform_op */
	uint64_t deadline;  /* the virtual time of that timeout; it does not include the timers among the descriptors */
};

#define FD_TRY 1     /* never waits: O_NONBLOCK, or a zero timeout */
#define FD_ORDERED 2 /* simul enforce orders such an operation (struct fd_wait) */

struct fd_request {
	enum event_kind kind;
	int fd;
	short events;       /* the awaited events: POLLIN, POLLOUT */
	unsigned flags;     /* FD_* */
	uint64_t deadline;  /* virtual time; OP_NO_DEADLINE: none. An event with a deadline is always enabled, and the caller polls afterwards */
	const void *pc;
	uint64_t addend;    /* what a write adds to the counter of an eventfd; 0: it is no such write */
};

/* Sets the objects and the deadline of *op from w, and performs it. `restartable` and the result are those of signals_perform. */
int64_t fd_perform_op(struct op *op, struct fd_wait *w, bool restartable);
/* Performs the event on f. Returns 0, or CTL_EINTR when a handler interrupted it. */
int64_t fd_perform(struct open_file *f, const struct fd_request *req);
/* Call it when a timer was set or fired, or a group grew. Updates the pending operations that this changes. */
void fd_refresh_waits(void);
/* Call it when the call after the last event on f of this thread failed because it would have to wait, and poll cannot tell for what. Waits
   until another thread has performed an event on f that may have changed this. Returns false when a signal handler interrupted it. */
bool fd_await_change(struct open_file *f, const void *pc);
/* Performs an event on f that never waits. */
void fd_touch(struct open_file *f, const void *pc);
/* The same, for calls that a certificate can order: close, and some of sockets. */
void fd_touch_ordered(struct open_file *f, const void *pc);
/* Makes f and g members of one group. This is an event unless they already are in one group. ordered: as in struct
   fd_wait, for the call that joins them. */
void fd_join(struct open_file *f, struct open_file *g, bool ordered, const void *pc);
/* Returns whether fd has O_NONBLOCK. */
bool fd_nonblocking(int fd);

/* ---- timerfd.c ---- */

/* Returns the virtual time at which the first armed timer among these descriptors is due, ignoring distant ones (timerfd.h); TIMERS_NEVER:
   there is none. */
uint64_t timerfd_next(const struct pollfd *fds, unsigned n);
/* Call it when the running thread waits for these descriptors and none is ready. Advances the thread's clock to the first timer among them
   that is due by the deadline, and fires this timer. Returns false if there is none. */
bool timerfd_elapse(const struct pollfd *fds, unsigned n, uint64_t deadline);
/* Call it when no thread is enabled and t waits for these descriptors. Fires the first timer among them. Returns false if there is none. In
   scheduler context. */
bool timerfd_fire_idle(thread_id t, const struct pollfd *fds, unsigned n);
/* Returns whether the timer can be read: now (`try`), or after time has passed until it is due. */
bool timerfd_readable(int fd, bool try);

/* ---- fd_restore.c: files that executions share because they start from one checkpoint ---- */

/* Call it at the checkpoint. Saves the state of pipes, socket pairs, eventfds and epoll instances. */
void fd_remember(void);
/* Like fd_remember, but in the middle of an execution. Returns false if some of these files cannot be created again. */
bool fd_mark(void);
/* Call it in the process of an execution, forked or rewound, before the program continues. Creates these files again,
   with the saved state. Their descriptors may be closed, or stand for files that the last execution opened. */
void fd_restore(void);
/* Returns whether fd is a descriptor of these files. */
bool fd_is_restored(int fd);
/* Returns the k-th (from 0) open file that an epoll instance watches; NULL after the last. */
const struct open_file *fd_epoll_watched(const struct open_file *ep, unsigned k);
/* Call it when epoll_ctl(ep, op, fd, ev) has succeeded. */
void fd_epoll_changed(struct open_file *ep, int op, int fd, const struct epoll_event *ev);
/* Call it when the last descriptor of f was closed: f watches nothing any more, and is not watched. */
void fd_unwatch(const struct open_file *f);

/* operations.ready, operations.wait_external and operations.awaits_process */
bool fd_ready(void *ctx, thread_id t, const struct op *op);
/* The world asks this before a handler that may interrupt the operation: whether it would wait now. An operation that depends on other
   processes counts as waiting. */
bool fd_would_wait(void *ctx, thread_id t, const struct op *op);
bool fd_wait_external(void);
thread_id fd_awaits_process(void);

#endif
