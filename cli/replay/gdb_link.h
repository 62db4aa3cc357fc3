/*
 * What passes between simul, which started gdb, and the process that gdb starts for each replay: a request for a session, and the
 * session. The process is gdb's child, not simul's, because a debugger may always trace its own children; attaching is often
 * forbidden. Both ends are one socket pair, whose descriptor gdb inherits and hands on.
 */
#ifndef SIMUL_GDB_LINK_H
#define SIMUL_GDB_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cli/target/capture.h"
#include "cli/segment/segment.h"

/* How many bytes of a message are kept. */
#define GDB_LINK_TEXT 512

/* A pair of ends, both close-on-exec. false with errno. */
bool gdb_link_open(int end[2]);

/* simul: the process that asks for a session now. 0: nobody does; -1: the other end is closed. Waits at most `ms`. */
pid_t gdb_link_asked(int fd, int ms);
/* simul: here it is; or, with seg NULL, why there is none. */
void gdb_link_answer(int fd, const struct segment *seg, const struct capture *c, const char *why);

/* The process: asks and waits. Of *seg and *c only what target_become needs is filled. false: `why`. */
bool gdb_link_ask(int fd, struct segment *seg, struct capture *c, char why[GDB_LINK_TEXT]);

#endif
