/* Records which words threads use like locks, for advice at the end of the search. Nothing else depends on it. */
#ifndef SIMUL_LOCK_WATCH_H
#define SIMUL_LOCK_WATCH_H

/* Call it when an execution has ended, before the search accounts for it. */
void lock_watch_see(void);

#endif
