/*
 * ISOLATION_REWIND and ISOLATION_AUTO: a process is the checkpoint of its own executions.
 *
 * A child of the zygote keeps a copy of the memory that executions write to. At the end of an execution it puts the copy back
 * and goes on from where it was made, instead of leaving the next execution to another child. That is much cheaper, but restores
 * memory only. So an execution that has changed what the kernel knows of the process, or memory that no copy was made
 * of, is the last one of its process: the next child takes over, as with ISOLATION_FORK. When that happens too often, there are no more copies
 * in this session.
 *
 * Which memory to copy is learnt: all pages that some execution has written to (written_pages.h). A page that is
 * written for the first time is a page fault, so only an execution with a page fault has to be looked at.
 */
#ifndef SIMUL_REWIND_H
#define SIMUL_REWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/base/outside.h"

/* In the zygote, before the first fork. */
void rewind_init(void);
/* In the zygote, before each fork: children that do not rewind find everything as with ISOLATION_FORK. */
void rewind_before_fork(void);
/* Are executions to be rewound, from what is known now? Then no child needs to stand by. */
bool rewind_wanted(void);
/* In a child, just before its executions: returns once for each of them. */
void rewind_point(void);
/* At the end of an execution that has been accounted for, when another one is planned: goes on at rewind_point. Returns when
   that cannot be. */
void rewind_again(void);

#endif
