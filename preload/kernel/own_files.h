/* Which operations on descriptors a certificate can order (base/own_files.h). All functions are called inside simul. */
#ifndef SIMUL_PRELOAD_OWN_FILES_H
#define SIMUL_PRELOAD_OWN_FILES_H

#include "base/own_files.h"
#include "preload/kernel/fd.h"

/* Returns what a certificate can order of the file. */
enum own_file own_files_kind(const struct open_file *f);
/* Returns whether it can order operations on it as on a file of its own, so that it is no group. */
static inline bool own_files_is_one(const struct open_file *f)
{
	return own_files_kind(f) != OWN_FILE_NONE && own_files_kind(f) != OWN_FILE_ALL;
}
/* Call it for each event on descriptors. Records its place for certificates, unless enforce/lib/ orders the event. */
void own_files_event(const struct fd_wait *w, uint64_t pc);
/* The program has made a socket by the call at pc. A certificate orders stream sockets of the Unix domain only. */
void own_files_socket(int domain, int type, const void *pc);
/* The program has a socket that another process may have, too. pc: the call that shows it; NULL: not known. */
void own_files_shared_socket(const void *pc);
/* Call it before the first execution if executions share a socket of the program. */
void own_files_older_socket(void);
/* Call it when a message with descriptors is sent: another process may get them. */
void own_files_sent(const void *pc);
/* Call it for a call on the descriptor that enforce/lib/ does not know, or that changes the events of other calls on
   the file. */
void own_files_unknown(int fd, const void *pc);
/* The same for a call on any number of descriptors. */
void own_files_unknown_many(const void *pc);

#endif
