/* Locks of Rust's std. To simul they are words of memory and futexes; the functions on a stack say what they are to the program. */
#ifndef SIMUL_STD_LOCK_H
#define SIMUL_STD_LOCK_H

#include "recorder/recording.h"

#define STD_LOCK_TEXT 64

struct std_lock {
	char kind[STD_LOCK_TEXT];   /* "Mutex", "Condvar of Barrier", "park token" */
	char method[STD_LOCK_TEXT]; /* the method that the program called on it or on its owner; "": not known */
	const struct rec_frame *caller;
};

/* Returns whether the step with this stack used the word of such a lock; fills out. */
bool std_lock_of(const struct rec_stack *stack, struct std_lock *out);

/* Returns the expression on which the program called the method, "self.items" in `self.items.lock()`. NULL: the source is missing, newer than
   the binary, or says it in another way. */
char *std_lock_expression(const struct std_lock *l, const char *binary);

/* Returns the name of the lock whose word has this name, "depot::LOCK" for "depot::LOCK.inner.futex.v.value". NULL: it is no name of a word. */
char *std_lock_variable(const char *word);

/* Returns whether an object with this name is a lock that one thread holds: "Mutex self.items". */
bool std_lock_is_held(const char *name);

#endif
