/* simul replay --gdb: a recording in a debugger. */
#ifndef SIMUL_GDB_H
#define SIMUL_GDB_H

#include <stdint.h>

#include "cli/replay/recorded.h"

/*
 * Runs gdb on the recording, which was read and prepared, until the user leaves it. stop_at: the step before which it begins, from 1; 0: at
 * the failure. commands: a file of gdb commands to run instead of asking for them; NULL. Returns gdb's exit status.
 */
int gdb_replay(const struct recorded *rec, uint32_t stop_at, const char *commands);

/* The word that makes `simul WORD DESCRIPTOR RECORDING ...` the process of such a replay. gdb is told to start its processes like this. */
#define GDB_PROCESS_WORD "gdb-process"
int gdb_process(int argc, char **argv);

/* `simul WORD PID` puts the memory of such a process, which has stopped at its first instruction, at fixed addresses. No debugger has it
   then; it is stopped afterwards, too. */
#define GDB_PLACE_WORD "gdb-place"
int gdb_place(int argc, char **argv);

#endif
