/*
 * The connection between simul, which started gdb, and the process that gdb starts for each replay: a request for a session, and the
 * session. The process is gdb's child, not simul's, because a debugger may always trace its own children; attaching is often forbidden. The
 * connection is a socket pair; gdb inherits one descriptor and passes it on.
 */
#ifndef SIMUL_GDB_LINK_H
#define SIMUL_GDB_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cli/target/capture.h"
#include "cli/segment/segment.h"

/* Maximum length of a message. */
#define GDB_LINK_TEXT 512

/* Opens the pair, both close-on-exec. false with errno. */
bool gdb_link_open(int end[2]);

/* In simul: returns the process that requests a session. 0: no request yet; -1: the other end is closed. Waits at most `ms`. */
pid_t gdb_link_asked(int fd, int ms);
/* In simul: sends the session; with seg NULL, sends the reason why there is none. */
void gdb_link_answer(int fd, const struct segment *seg, const struct capture *c, const char *why);

/* In the process: requests a session and waits. Fills only the members of *seg and *c that target_become needs. false: `why`. */
bool gdb_link_ask(int fd, struct segment *seg, struct capture *c, char why[GDB_LINK_TEXT]);

#endif
