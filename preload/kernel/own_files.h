/* Which operations on descriptors a certificate can order (base/own_files.h). All functions are called inside simul. */
#ifndef SIMUL_PRELOAD_OWN_FILES_H
#define SIMUL_PRELOAD_OWN_FILES_H

#include "base/own_files.h"
#include "preload/kernel/fd.h"

/* Returns what a certificate can order of the file. */
enum own_file own_files_kind(const struct open_file *f);
/* Call it for each event on descriptors. Records its place for certificates, unless enforce/lib/ orders the event. */
void own_files_event(const struct fd_wait *w, uint64_t pc);
/* Call it when a message with descriptors is sent: another process may get them. */
void own_files_sent(const void *pc);
/* Call it for a call on the descriptor that enforce/lib/ does not know, or that changes the events of other calls on
   the file. */
void own_files_unknown(int fd, const void *pc);

#endif
