/* simul replay --gdb: a recording in a debugger. */
#ifndef SIMUL_GDB_H
#define SIMUL_GDB_H

#include <stdint.h>

#include "cli/replay/recorded.h"

/*
 * Runs gdb on the recording, which must be read and prepared, until the user quits. stop_at: the step to start before, from 1; 0: the
 * failure. commands: a file of gdb commands to run instead of an interactive session; NULL: none. Returns gdb's exit status.
 */
int gdb_replay(const struct recorded *rec, uint32_t stop_at, const char *commands);

/* The command with which gdb starts the process of such a replay: `simul WORD DESCRIPTOR RECORDING ...`. */
#define GDB_PROCESS_WORD "gdb-process"
int gdb_process(int argc, char **argv);

/* `simul WORD PID` places the memory of such a process, stopped at its first instruction, at fixed addresses. gdb must have detached from
   it; it stays stopped. */
#define GDB_PLACE_WORD "gdb-place"
int gdb_place(int argc, char **argv);

#endif
