/*
 * ISOLATION_REWIND and ISOLATION_AUTO: a process is the checkpoint of its own executions.
 *
 * A child of the zygote keeps a copy of the memory that executions write to. At the end of an execution it restores this copy and starts
 * the next execution itself, instead of leaving the next execution to another child. That is much faster than a fork, but it restores
 * memory only. If an execution changed kernel state of the process, or memory that was not copied, it is the last one of its process, and
 * the next child continues, as with ISOLATION_FORK. If that happens too often, the session stops rewinding.
 *
 * A process that was forked at a window (snapshot.h) does the same for the executions that start there.
 *
 * The copy holds all pages that some execution has written to (written_pages.h). The first write to any other page is a page fault, so
 * only an execution with a page fault has to be examined.
 */
#ifndef SIMUL_REWIND_H
#define SIMUL_REWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/base/outside.h"

/* Call it in the zygote, before the first fork. */
void rewind_init(void);
/* Call it in the zygote, before each fork. Makes the settings those of a child that rewinds, or does not. */
void rewind_before_fork(void);
/* Returns whether executions are to be rewound. If they are, no child needs to stand by. */
bool rewind_wanted(void);
/* Call it in a child, just before its executions. Returns once for each of them. */
void rewind_point(void);
/* Call it at the end of an accounted execution, when another one is planned. Starts the next execution by returning from rewind_point
   again. This function returns only if the process cannot be rewound. */
void rewind_again(void);

/* Returns whether executions of a window may be rewound to its beginning. */
bool rewind_possible_at_windows(void);
/* Call it in a process that was forked at a window, in the scheduling point where its executions start. Returns
   once for each of them: false for the first one, and true for later ones. If executions cannot be rewound to here,
   returns only once. */
bool rewind_at_window(void);
/* Call it at the end of an accounted execution, when the planned one starts at the same window. Starts it by
   returning from rewind_at_window again. This function returns only if the process cannot be rewound. */
void rewind_to_window(void);

/* Returns whether the last execution may have printed. */
bool rewind_printed(void);
/* Call it in a process whose executions are rewound, just before an execution starts at the checkpoint. */
void rewind_begin(void);
/* In such a process: makes a point (points.h) if one is planned here. Returns once for each execution that continues
   from here. */
void rewind_look(void);

/* struct operations' may_move and discards. */
bool rewind_may_move(uint64_t lo, uint64_t hi);
bool rewind_discards(uint64_t lo, uint64_t hi, bool writable);

#endif
