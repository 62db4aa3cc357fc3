/*
 * From addresses of a running target to names: functions, source lines, variables.
 *
 * Works from the text of /proc/PID/maps and the object files named there (elfutils libdwfl), so the
 * target need not be alive any more. Files are opened when first needed; what cannot be found is NULL
 * in the result, never an error.
 */
#ifndef SIMUL_SYMBOLS_H
#define SIMUL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/recording.h"

struct symbols;

/* Takes over the modules of a process from the text of its /proc/PID/maps. NULL only when libdwfl fails
   to start; a maps text that makes no sense gives symbols without modules. */
struct symbols *symbols_open(const char *maps_text);
void symbols_close(struct symbols *s); /* NULL is ignored */

/* Debug information can be larger than anybody wants to wait for. After so much time from now names of variables, types and lines are unknown;
   those of functions still come. */
void symbols_limit(struct symbols *s, uint64_t ns);
/* Was anything left out for that? */
bool symbols_late(const struct symbols *s);

/* Tells that [low, high) is the stack of the thread called `thread` ("T0.1"). */
void symbols_add_stack(struct symbols *s, const char *thread, uint64_t low, uint64_t high);

/* Declares that the program's heap lies in [low, high). There may be two such places. */
void symbols_add_heap(struct symbols *s, uint64_t low, uint64_t high);

/* Tells of a block that was allocated there, which gets the next number; no two overlap. */
void symbols_add_block(struct symbols *s, uint64_t start, uint64_t size);
bool symbols_in_block(const struct symbols *s, uint64_t addr);

/* Names [low, high), whatever debug information says of it: state that the C library keeps. Later names win. */
void symbols_add_name(struct symbols *s, uint64_t low, uint64_t high, const char *name);

/* Tells where a thread is: return addresses, innermost first, as an unwinder returns them. */
void symbols_add_frames(struct symbols *s, const uint64_t *pc, size_t n);

/* Lets the symboliser read the memory of the process, through its open /proc/PID/mem; -1: not any more. With it and the frames
   local variables are found. */
void symbols_set_memory(struct symbols *s, int fd);

/*
 * Symbolises the program counters pc[0 .. n), innermost first, as an unwinder returns them: return
 * addresses, except pc[0] when first_is_exact (the place of a signal). Inlined functions become frames of
 * their own. Frames of libsimul.so, and those outside of every module, are left out.
 * The result is the caller's (rec_stack_free).
 */
struct rec_stack symbolize_stack(struct symbols *s, const uint64_t *pc, size_t n, bool first_is_exact);

/*
 * A name for the object of this kind (enum object_kind) at addr: "queue.lock", "pool[2].m",
 * "worker::m" for a static or local variable m of worker, "q->lock" as the source line that first used it calls
 * an object on the heap; NULL when nothing is known, and for threads, descriptors and processes. first_use_pc (a return
 * address, 0 = unknown) is where the program first used it. malloc()ed.
 */
char *symbolize_object(struct symbols *s, unsigned kind, uint64_t addr, uint64_t first_use_pc);

/*
 * A name for the bytes [addr, addr + size): "counter", "queue.head", "pool[2].n", "main::counter"
 * for a variable in a frame of main; NULL when they belong to no variable with a name. malloc()ed. *value (may be NULL, else unknown
 * before) becomes how they are to be read, when that is known.
 */
char *symbolize_memory(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value);

/* Tells that the instruction before the return address accessed these bytes: from its source line is learnt what lies on the heap, which
   symbolize_memory knows then. */
void symbols_learn(struct symbols *s, uint64_t addr, uint64_t size, uint64_t pc);

/* How the bytes on the heap are to be read, as far as the source line at the return address tells; false, and *value is unknown. */
bool symbolize_type(struct symbols *s, uint64_t addr, uint64_t size, uint64_t pc, struct value_type *value);

/* What a pointer to there points to: "&pool[2]", "worker" for a function, "heap#2", "heap+0x2a0"; NULL when unknown. malloc()ed. */
char *symbolize_pointer(struct symbols *s, uint64_t addr);

/* "q->head" for memory on the heap: what the source line at the return address calls the one thing that it reads or writes
   through a pointer; NULL when that is not clear. malloc()ed. */
char *symbolize_expression(struct symbols *s, uint64_t addr, uint64_t pc, bool write);

/* "heap#2+8" of a block that was told of, "heap+0x2a0", "T0's stack": in what kind of memory an address lies; NULL when unknown. malloc()ed. */
char *symbolize_region(struct symbols *s, uint64_t addr);

/* "pool.c:88" for a return address: the user's code there; NULL when unknown. malloc()ed. */
char *symbolize_where(struct symbols *s, uint64_t pc);

/* Name of the function that starts at or contains addr (an exact address); NULL when unknown. malloc()ed. */
char *symbolize_function(struct symbols *s, uint64_t addr);

/*
 * What identifies an executable: its GNU build-id in hex; for a file without one (or a script) "hash-"
 * and a hash of its contents, so that every readable file has an identity. NULL with errno when it cannot be read.
 * malloc()ed.
 */
char *elf_build_id(const char *path);

#endif
