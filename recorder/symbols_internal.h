/* What the files of the symboliser share. */
#ifndef SIMUL_SYMBOLS_INTERNAL_H
#define SIMUL_SYMBOLS_INTERNAL_H

#include "recorder/symbols.h" /* first: elf.h, which libdw includes, makes EV_NONE a macro (of the same value) */

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

/* A variable with a fixed address. */
struct variable {
	uint64_t addr, size; /* run-time address */
	char *name;
	Dwarf_Die type;      /* offset 0 of its Dwarf: unknown (has_type false) */
	bool has_type;
};

/* A module whose variables were collected. */
struct variables {
	Dwfl_Module *module;
	size_t n;
	struct variable *v; /* sorted by address */
};

struct stack_range {
	char *thread;
	uint64_t low, high;
};

/* Where a thread is. */
struct thread_frames {
	size_t n;
	uint64_t *pc; /* return addresses, innermost first */
};

/* The frames of a program counter that was looked up before: schedules repeat few places often. */
struct cached_pc {
	uint64_t pc; /* 0: free */
	bool exact;
	struct rec_stack frames;
};

struct symbols {
	Dwfl *dwfl;
	size_t n_cached, cache_size; /* a power of two, or 0 */
	struct cached_pc *cache;
	size_t n_variables;
	struct variables *variables; /* by module, made when first asked for */
	size_t n_stacks;
	struct stack_range *stacks;
	struct {
		uint64_t low, high;
	} heap[2]; /* the kernel's, and the one that we were told of */
	size_t n_frames;
	struct thread_frames *frames; /* a thread each */
	int memory; /* of the process; -1: cannot be read */
};

/* Demangles for people: without parameter lists. malloc()ed. */
char *symbols_demangle(const char *name);

/* The name of a function or variable DIE, demangled; NULL when it has none. malloc()ed. */
char *symbols_die_name(Dwarf_Die *die);

/* Is this file part of the system: the C and C++ libraries and the compiler's headers? */
bool symbols_system_path(const char *dir);

/* The compilation unit of an address; NULL when there is no debug information. */
Dwarf_Die *symbols_unit_at(Dwfl_Module *module, uint64_t addr, Dwarf_Addr *bias);

#define SYMBOLS_WHOLE UINT64_MAX /* a size: whatever a pointer to there points to */

/* "queue.lock" for an address in a module's data; NULL. With a size: the innermost part that holds so many bytes. */
char *symbols_global(struct symbols *s, uint64_t addr, uint64_t size);
void symbols_free_variables(struct symbols *s);

/*
 * "main::m" for an object on a stack: the only local variable of that kind of object in the user's function at
 * pc (a return address). NULL when there is none or more than one.
 */
char *symbols_local(struct symbols *s, unsigned kind, uint64_t pc);

/* "main::counter" for bytes in the frame of the function at pc (a return address) whose canonical frame address is cfa. */
char *symbols_in_frame(struct symbols *s, uint64_t pc, uint64_t cfa, uint64_t addr, uint64_t size);

/* The one thing that the source line at this frame reads, or writes, through a pointer; NULL as below. */
char *symbols_access_in_source(const struct rec_frame *frame, bool write, const char *binary);

/* The same for a line of text (symbols_access.c). */
char *symbols_access_in_line(const char *line, bool write);

/*
 * "q->lock" for an object without a symbol: the argument that the source line at this frame gives to the call.
 * NULL when the source is not there, newer than `binary`, or not so simple.
 */
char *symbols_from_source(const struct rec_frame *frame, unsigned kind, const char *binary);

#endif
