/*
 * Allocators that libraries load for themselves. oneTBB loads libtbbmalloc when it first allocates, and takes memory from malloc where that is not installed. Under simul
 * it is not loaded: its lists of free blocks would multiply the interleavings, loading code in a thread keeps executions from being rewound, and blocks of malloc are checked for
 * memory errors. The program can tell by addresses only. The verdict says so.
 *
 * It is loaded with --own-locks explore, in `simul certify`, and if the program itself is linked with it or loads it. In replays of recordings from before the order of tasks
 * was explored (KNOWN_TASKS), a program with tasks gets it too.
 */
#ifndef SIMUL_OWN_ALLOCATOR_H
#define SIMUL_OWN_ALLOCATOR_H

#include <stdbool.h>

/* Returns whether the code at `caller`, which calls dlopen with this name, must do without the library. */
bool own_allocator_left_out(const char *name, const void *caller);

#endif
