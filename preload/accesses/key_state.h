/* Bytes that stand for the keys of thread-specific data (pthread_key_create): one says whether a key exists. */
#ifndef SIMUL_KEY_STATE_H
#define SIMUL_KEY_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the bytes, and writes their address and name to the session. Called once. */
void key_state_init(void);

/* Reports an access to the key. flags: MEM_READ for a call that needs it, MEM_READ | MEM_WRITE for one that makes or deletes it; MEM_ATOMIC, since
   these calls may overlap. Where the search sees the byte, this is a scheduling point. */
void key_touch(unsigned key, unsigned flags, uintptr_t pc);

/* Returns whether the search sees the byte: in some execution a thread used the key unordered with its deletion. */
bool key_is_shared(unsigned key);

/* The key is made: what used the number before used another key. */
void key_is_new(unsigned key);

/* Call it when the key was made or deleted: the byte becomes another one, as loops that wait for it must notice. */
void key_changed(unsigned key);

#endif
