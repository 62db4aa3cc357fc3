/*
 * Translates addresses of a running target to names: functions, source lines, variables.
 *
 * It works from the text of /proc/PID/maps and the object files named there (elfutils libdwfl), so the
 * target may have ended. Files are opened when first needed. Whatever cannot be found is NULL
 * in the result, never an error.
 */
#ifndef SIMUL_SYMBOLS_H
#define SIMUL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/recording.h"

struct symbols;

/* A frame on a stack. pc 0: none. */
struct symbols_frame {
	uint64_t pc;  /* a return address into the function */
	uint64_t end; /* the canonical frame address */
};

/* Opens the modules of a process, given the text of its /proc/PID/maps. NULL only when libdwfl cannot
   start; an invalid text gives symbols without modules. */
struct symbols *symbols_open(const char *maps_text);
void symbols_close(struct symbols *s); /* NULL is ignored */

/* Limits the processor time for reading debug information to `ns` from now, since it can be very large, and the real time to ten times that. After that, names of variables, types and lines
   are unknown; names of functions are still found. */
void symbols_limit(struct symbols *s, uint64_t ns);
/* Returns whether anything was left out because of the limit. */
bool symbols_late(const struct symbols *s);

/* Declares that the program's heap is in [low, high). There may be two such ranges. */
void symbols_add_heap(struct symbols *s, uint64_t low, uint64_t high);

/* Declares an allocated block, which gets the next number. Blocks do not overlap. */
void symbols_add_block(struct symbols *s, uint64_t start, uint64_t size);
bool symbols_in_block(const struct symbols *s, uint64_t addr);

/* Names [low, high), in preference to debug information. For state inside the C library. Later names win. */
void symbols_add_name(struct symbols *s, uint64_t low, uint64_t high, const char *name);

/* Declares the stack of a thread: return addresses, innermost first, as an unwinder returns them. */
void symbols_add_frames(struct symbols *s, const uint64_t *pc, size_t n);

/* Declares the thread pointer of the thread called `thread` ("T0.1"). The program's thread-local variables then have
   names. */
void symbols_add_thread(struct symbols *s, const char *thread, uint64_t pointer);

/* Returns the size of the block of thread-local variables that ends at the thread pointer, from the size and the
   alignment of the program's PT_TLS segment. 0: the alignment is 0. */
uint64_t symbols_thread_block(uint64_t size, uint64_t align);

/* Lets the symbolizer read the memory of the process through its open /proc/PID/mem; -1 ends that. Together with the frames
   it allows local variables to be found. */
void symbols_set_memory(struct symbols *s, int fd);

/*
 * Symbolizes the program counters pc[0 .. n), innermost first, as an unwinder returns them: return
 * addresses, except pc[0] when first_is_exact (the address of a signal). Inlined functions become frames of
 * their own. Frames of libsimul.so, and those outside of all modules, are left out.
 * The caller owns the result (rec_stack_free).
 */
struct rec_stack symbolize_stack(struct symbols *s, const uint64_t *pc, size_t n, bool first_is_exact);

/*
 * Returns a name for the object of this kind (enum object_kind) at addr, malloc()ed: "queue.lock", "pool[2].m",
 * "worker::m" for a static or local variable m of worker, or "q->lock" for an object on the heap, from the source line
 * that first used it. NULL when no name is known, and for threads, descriptors and processes. first_use_pc (a return
 * address; 0: unknown) is where the program first used it, `in` the frame that it was in then.
 */
char *symbolize_object(struct symbols *s, unsigned kind, uint64_t addr, uint64_t first_use_pc, struct symbols_frame in);

/* Returns the name of the bytes [addr, addr + size) in the frame, "main::counter.n", or NULL. size 0: those of an object that begins there.
   *value as in symbolize_memory. malloc()ed. */
char *symbolize_local(struct symbols *s, struct symbols_frame in, uint64_t addr, uint64_t size, struct value_type *value);

/*
 * Returns a name for the bytes [addr, addr + size), malloc()ed: "counter", "queue.head", "pool[2].n", or "main::counter"
 * for a variable in a frame of main. NULL when they belong to no named variable. *value (may be NULL; must be unknown
 * before) becomes their type, if known.
 */
char *symbolize_memory(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value);

/* Notes that the instruction before the return address pc accessed these bytes. From its source line the structure on the heap is inferred,
   which symbolize_memory then knows. */
void symbols_note_access(struct symbols *s, uint64_t addr, uint64_t size, uint64_t pc);

/* Gets the type of the bytes on the heap from the source line at the return address. Returns false, with *value unknown, if it has none. */
bool symbolize_type(struct symbols *s, uint64_t addr, uint64_t size, uint64_t pc, struct value_type *value);

/* Returns a name for the target of a pointer: "&pool[2]", "worker" for a function, "heap#2", "heap+0x2a0"; NULL when unknown. malloc()ed. */
char *symbolize_pointer(struct symbols *s, uint64_t addr);

/* Returns the expression for memory on the heap, "q->head": the only one that the source line at the return address reads or writes
   through a pointer; NULL when it is ambiguous. malloc()ed. */
char *symbolize_expression(struct symbols *s, uint64_t addr, uint64_t pc, bool write);

/* Returns the kind of memory at an address: "heap#2+8" for a known block, "heap+0x2a0", "T0's stack"; NULL when unknown. malloc()ed. */
char *symbolize_region(struct symbols *s, uint64_t addr);

/* Returns the position of the user's code at a return address, "pool.c:88"; NULL when unknown. malloc()ed. */
char *symbolize_where(struct symbols *s, uint64_t pc);

/* Returns the name of the function that contains addr (an exact address); NULL when unknown. malloc()ed. */
char *symbolize_function(struct symbols *s, uint64_t addr);

/* Returns the name by which the linker knows the function that contains addr (an exact address); NULL when it has none. malloc()ed. */
char *symbolize_linker_name(struct symbols *s, uint64_t addr);

/*
 * Returns the identity of an executable: its GNU build-id in hex, or, for a file without one (or a script), "hash-"
 * and a hash of its contents. NULL with errno when the file cannot be read.
 * malloc()ed.
 */
char *elf_build_id(const char *path);

#endif
