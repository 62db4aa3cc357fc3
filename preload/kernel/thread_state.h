/*
 * State that the kernel keeps for each thread: credentials, the working directory after unshare, the personality, processors, priorities. As fibers
 * all threads of the program share it, since they run on one kernel thread. So the search starts again with kernel threads when the difference
 * could be noticed. With kernel threads these functions do nothing. They are called outside of simul, and by code inside it, but only under control.
 */
#ifndef SIMUL_THREAD_STATE_H
#define SIMUL_THREAD_STATE_H

#include <stdbool.h>

/* Returns whether no other thread of the program lives, or the program is not under control. A new thread inherits the state of its creator. */
bool thread_state_alone(void);
/* Call it when `call` has changed state on which other calls depend: that of the calling thread alone. Does not return if several threads live. */
void thread_state_changed(const char *call);
/* State that a program can notice only by asking for it. */
enum thread_setting {
	SETTING_PROCESSORS = 1,
	SETTING_PRIORITY = 2,
	SETTING_PRCTL = 4,
	SETTING_MEMORY = 8, /* NUMA policy */
	SETTING_IO = 16,
};
/* Call it when a thread has changed such state. */
void thread_state_set(enum thread_setting setting);

/* The value of a setting of the calling thread. */
struct thread_value {
	bool known;
	unsigned char value[1024]; /* as the kernel gives it, then zeros */
};
/* Call them before and after a call that may change such state. A value that is set again is no change. Returns whether
   the value is the same as before. */
void thread_state_before(enum thread_setting setting, struct thread_value *before);
bool thread_state_after(enum thread_setting setting, const struct thread_value *before);
/* Call it before `call` asks for such state. Does not return if a thread has changed it while several lived, in this execution or another one. */
void thread_state_asked(enum thread_setting setting, const char *call);

#endif
