/* Names the locks of Rust's std in a recording whose steps, and whose memory, have been described. */
#ifndef SIMUL_COLLECT_STD_H
#define SIMUL_COLLECT_STD_H

#include "recorder/recording.h"

/* "Mutex self.items": what it is, and the variable, field or expression that the program has for it. Locks without one are numbered: "Mutex#2". */
void collect_std_locks(struct recording *r, const char *binary);

#endif
