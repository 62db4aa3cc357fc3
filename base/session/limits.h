/* How much the parts of a session hold. */
#ifndef SIMUL_SESSION_LIMITS_H
#define SIMUL_SESSION_LIMITS_H

#define SESSION_MESSAGE 1024  /* bytes of a message, including the terminator */
#define SESSION_STACK 64      /* frames of a stack */
#define SESSION_POOL 256      /* parked threads that the target may keep ready */
#define SESSION_PATH 40       /* bytes of the name of a pool thread, including the terminator */
#define SESSION_SIGNATURES 256
#define SESSION_LEVELS 32     /* most snapshots that one execution can have at a time */
#define SESSION_MODULES 256   /* modules that are described */
#define SESSION_REACHED 8192  /* most entries in the list of library functions that were patched when they were reached */
#define SESSION_SITES 16384   /* slots of the table of code that accesses visible bytes */
#define SESSION_HOLES 1024    /* most uncovered functions that are listed; all of them are counted */
#define SESSION_RACES 256     /* distinct races that are described */
#define SESSION_WATCHED 256   /* slots for watched words (preload/memory/watched.h); half of them are used */
#define SESSION_CIRCLE 8      /* threads of a circle that are reported */
#define SESSION_CYCLE 32      /* events of a cycle that are reported */
#define SESSION_LABELS 200    /* labels kept of one execution: the first ones */
#define SESSION_LABEL_TEXT 128 /* bytes of one label, including the terminator */
#define SESSION_OBJECTS 256   /* kinds of state that libc keeps between calls, and other resources with a name */
#define SESSION_CALLERS 3     /* most places of one exception that are named */
#define SESSION_UNSEEN 8      /* most libc functions with unseen accesses that are named */
#define SESSION_READS 8192    /* bytes of the names of environment variables that the program read */
#define SESSION_VALUE 16      /* bytes of the largest value that is recorded */

#define SESSION_LIMITS 928 /* bytes for a struct rounds_limits */
#define SESSION_ENDLESS 672 /* bytes for a struct endless_limits */
#define SESSION_LOCK_WORDS 29808 /* bytes for a struct lock_words */
#define SESSION_RUN_ON_THREADS 64
#define SESSION_RUN_ON_EVENT 32 /* bytes for one event */
#define SESSION_WHAT_IF 12
#define SESSION_CHILD_PAGES 512
#define SESSION_CHILD_OBJECTS 64

#endif
