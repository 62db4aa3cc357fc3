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

/* A structure on the heap that a source line told of (symbols_heap.c). */
struct heap_object {
	uint64_t addr, size;
	Dwarf_Die type;
	bool doubtful; /* other lines say that something else lies there */
};

/* A block that was allocated. */
struct heap_block {
	uint64_t start, size;
	size_t number; /* from 1 */
};

/* A stack, by its thread, or what else has a name. */
struct named_range {
	char *name;
	uint64_t low, high;
};

/* Where a thread is. */
struct thread_frames {
	size_t n;
	uint64_t *pc; /* return addresses, innermost first */
};

/* The frames of a program counter that was looked up before: schedules repeat few places often. */
/* What an address in a stack is. */
enum pc_role {
	PC_RETURN,  /* a return address */
	PC_EXACT,   /* of the instruction itself */
	PC_BEHIND,  /* a return address into the C library, with a caller of the program's further in: it started the thread, or called back */
};

struct cached_pc {
	uint64_t pc; /* 0: free */
	enum pc_role role;
	struct rec_stack frames;
};

struct symbols {
	Dwfl *dwfl;
	size_t n_cached, cache_size; /* a power of two, or 0 */
	struct cached_pc *cache;
	size_t n_variables;
	struct variables *variables; /* by module, made when first asked for */
	size_t n_stacks;
	struct named_range *named; /* symbols_add_name */
	size_t n_named;
	struct named_range *stacks;
	struct {
		uint64_t low, high;
	} heap[3]; /* the kernel's, and those that were added */
	size_t n_frames;
	struct thread_frames *frames; /* a thread each */
	size_t n_blocks;
	struct heap_block *blocks; /* by address */
	size_t n_heap_objects;
	struct heap_object *heap_objects;
	int memory; /* of the process; -1: cannot be read */
	uint64_t until_ns; /* of CLOCK_MONOTONIC; 0: no limit */
	bool late;
};

/* Is the time over that symbols_limit gave? Then nothing more is read but the tables of functions. */
bool symbols_over(struct symbols *s);

/* Demangles for people: without parameter lists. malloc()ed. */
char *symbols_demangle(const char *name);

/* The name of a function or variable DIE, demangled; NULL when it has none. malloc()ed. */
char *symbols_die_name(Dwarf_Die *die);

/* Is this file part of the system: the C and C++ libraries and the compiler's headers? */
bool symbols_system_path(const char *dir);
/* The same of a module, by the last part of its name. */
bool symbols_system_module(const char *name);

/* The file of a module, and the last part of such a name. */
const char *symbols_module_path(Dwfl_Module *module);
const char *symbols_base_name(const char *path);

/* The compilation unit of an address; NULL when there is no debug information. */
Dwarf_Die *symbols_unit_at(Dwfl_Module *module, uint64_t addr, Dwarf_Addr *bias);

/* The scopes around addr from the inside out, inlined ones where they were inlined. Count; *out is free()d. */
int symbols_scopes_at(Dwarf_Die *cu, uint64_t addr, Dwarf_Die **out);

bool symbols_on_heap(const struct symbols *s, uint64_t addr);

#define SYMBOLS_WHOLE UINT64_MAX /* a size: whatever a pointer to there points to */

/* "queue.lock" for an address in a module's data; NULL. With a size: the innermost part that holds so many bytes. *value (may be NULL)
   becomes what they mean, when that is known. */
char *symbols_global(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value);
void symbols_free_variables(struct symbols *s);

/*
 * "main::m" for an object on a stack: the only local variable of that kind of object in the user's function at
 * pc (a return address). NULL when there is none or more than one.
 */
char *symbols_local(struct symbols *s, unsigned kind, uint64_t pc);

/* "main::counter" for bytes in the frame of the function at pc (a return address) whose canonical frame address is cfa. */
char *symbols_in_frame(struct symbols *s, uint64_t pc, uint64_t cfa, uint64_t addr, uint64_t size, struct value_type *value);

/* ---- the heap (symbols_heap.c) ---- */

/* "heap#2", "heap#2+8"; NULL: nobody told of a block there. */
char *symbols_block_name(const struct symbols *s, uint64_t addr);

/* "Queue::head", "struct queue.head" for bytes of a structure that source lines told of; NULL. *value as above. */
char *symbols_in_heap_object(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value);

/* ---- types (symbols_types.c) ---- */

#define SYMBOLS_NESTING 64    /* of types and scopes: more is damaged debug information */
#define SYMBOLS_PATH_TEXT 512

/* The type of a variable, member or type that is made from another one. */
bool symbols_type_of(Dwarf_Die *die, Dwarf_Die *type);
/* The type behind typedefs and qualifiers; false when there is none (void, or damaged). */
bool symbols_peel(Dwarf_Die *type);
/* In bytes; 0: unknown. */
uint64_t symbols_type_size(const Dwarf_Die *type);

/*
 * Appends what lies at the offset in a variable of this type: ".in.m", "[2].m", or nothing for the start. With a size:
 * as far as the parts hold so many bytes, and "+4" for what begins inside the last one. With SYMBOLS_WHOLE: the largest
 * part that begins there, an element rather than its array.
 */
void symbols_append_path(Dwarf_Die type, uint64_t offset, uint64_t size, char path[SYMBOLS_PATH_TEXT]);

/* The member of a structure or class, of its base classes and its anonymous members: its type, and how far it lies behind the
   beginning. false: there is none of this name, or it is a bit field or static. */
bool symbols_member(Dwarf_Die type, const char *name, Dwarf_Die *member, uint64_t *offset);

/* Is the one type what begins at the offset in the other? */
bool symbols_has_part(Dwarf_Die type, uint64_t offset, Dwarf_Die part);
bool symbols_same_type(Dwarf_Die *a, Dwarf_Die *b); /* units have copies of their own of one type */
bool symbols_is_cxx(Dwarf_Die *die);

/* How the bytes [offset, offset + size) of a variable of this type are to be read; false, and *out is unknown: there is no telling. */
bool symbols_value_type(Dwarf_Die type, uint64_t offset, uint64_t size, struct value_type *out);

/* The source line of the frame; false when it is not there, or newer than `binary`. */
bool symbols_source_line(const struct rec_frame *frame, const char *binary, char *buf, int size);

/* Text of source lines (symbols_access.c): comments and the contents of strings become blanks. */
void symbols_blank_out(char *line);
/* Length of the brackets that open at p, up to and with the closing one; 0 when they do not close. */
size_t symbols_brackets(const char *p);
/* Is the star at p one that follows a pointer, no multiplication and no declaration? */
bool symbols_is_dereference(const char *line, const char *p);

/* The same of the user's code at the return address. */
bool symbols_line_at(struct symbols *s, uint64_t pc, char *buf, int size);

/* The one thing that the line reads, or writes, through a pointer; NULL when there is none, or more than one. */
char *symbols_access_in_line(const char *line, bool write);

/*
 * "q->lock" for an object without a symbol: the argument that the source line at this frame gives to the call.
 * NULL when the source is not there, newer than `binary`, or not so simple.
 */
char *symbols_from_source(const struct rec_frame *frame, unsigned kind, const char *binary);

#endif
