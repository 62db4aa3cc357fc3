/*
 * Rules for code that runs inside the program under test. Every C file of preload/ includes this file last.
 *
 *  - No malloc, no stdio: the program's heap and streams are the program's. Memory comes from the
 *    arena (private, rewound with the program) or from the session segment (shared, never rewound).
 *  - No call of an interposed function by its own name: use real_NAME or a raw system call (sys.h).
 *  - No thread-local variables of our own, no locks: one thread runs at a time.
 *  - errno belongs to the program.
 *  - No floating point: the library is built without vector registers (tests/layers.sh floats).
 */
#ifndef SIMUL_RULES_H
#define SIMUL_RULES_H

#pragma GCC poison malloc calloc realloc free strdup asprintf
#pragma GCC poison printf fprintf puts fputs fopen perror

#endif
