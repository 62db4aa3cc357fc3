/* Record locks, for the hook of fcntl. */
#ifndef SIMUL_LOCK_H
#define SIMUL_LOCK_H

#include <fcntl.h>

/* Does what fcntl does with F_SETLK, F_SETLKW, F_OFD_SETLK or F_OFD_SETLKW. Called outside simul. */
int lock_record(int fd, int cmd, struct flock *l, const void *pc);

#endif
