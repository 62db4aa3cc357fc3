/* Shared by the fuzz targets (`make fuzz`). */
#ifndef SIMUL_LIB_FUZZ_H
#define SIMUL_LIB_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/segment/segment.h"
#include "recorder/recording.h"

/* A target makes here what its inputs change, so that the code that this reaches does not count for the first input. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Does `f` with the recording that the bytes are, and with the one that they are when their checksum is made right; so the parser behind the
   checksum is reached, too. Only what is accepted gets to f. */
void fuzz_recordings(const uint8_t *data, size_t size, void (*f)(struct recording *r));

/* A stream that goes nowhere. */
FILE *fuzz_sink(void);

/* Runs a search of three threads that use one mutex in a new segment, until it is this many executions old. */
void fuzz_search(struct segment *seg, unsigned executions);

/* Fails when text that people or programs read has a character that no terminal should get. */
void fuzz_expect_harmless(const char *text, const char *what);

#endif
