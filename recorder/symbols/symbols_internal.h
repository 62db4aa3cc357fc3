/* Declarations shared by the files of the symbolizer. */
#ifndef SIMUL_SYMBOLS_INTERNAL_H
#define SIMUL_SYMBOLS_INTERNAL_H

#include "recorder/symbols/symbols.h" /* first: elf.h, which libdw includes, makes EV_NONE a macro (of the same value) */

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

/* A variable with a fixed address. */
struct variable {
	uint64_t addr, size; /* run-time address */
	char *name;
	Dwarf_Die type;      /* offset 0 of its Dwarf if unknown (has_type is false) */
	bool has_type;
};

/* A module whose variables were collected. */
struct variables {
	Dwfl_Module *module;
	size_t n;
	struct variable *v; /* sorted by address */
	size_t n_local;
	struct variable *local; /* thread-local ones, sorted by their offset in the module's block */
};

/* A structure on the heap, inferred from a source line (symbols_heap.c). */
struct heap_object {
	uint64_t addr, size;
	Dwarf_Die type;
	bool doubtful; /* other lines imply another structure there */
};

/* A block that was allocated. */
struct heap_block {
	uint64_t start, size;
	size_t number; /* from 1 */
};

/* A range with a name: a stack, named after its thread, or a range of symbols_add_name. */
struct named_range {
	char *name;
	uint64_t low, high;
};

/* The stack of a thread. */
struct thread_frames {
	size_t n;
	uint64_t *pc; /* return addresses, innermost first */
};

/* The meaning of an address in a stack. */
enum pc_role {
	PC_RETURN,  /* a return address */
	PC_EXACT,   /* the address of the instruction itself */
	PC_BEHIND,  /* a return address into the C library, outside a frame of the program: the start of the thread, or a callback */
};

/* The cached frames of a program counter. Schedules repeat few places often. */
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
	struct variables *variables; /* by module, built at first use */
	size_t n_stacks;
	struct named_range *named; /* symbols_add_name */
	size_t n_named;
	struct named_range *stacks;
	size_t n_threads;
	struct named_range *threads; /* the threads' blocks of the program's thread-local variables */
	Dwfl_Module *program; /* the module of these variables; NULL: not known yet */
	uint64_t block;       /* size of such a block with the padding for its alignment; 0: there are none */
	struct {
		uint64_t low, high;
	} heap[3]; /* the kernel's [heap], and those that were added */
	size_t n_frames;
	struct thread_frames *frames; /* one entry for each thread */
	size_t n_blocks;
	struct heap_block *blocks; /* sorted by address */
	size_t n_heap_objects;
	struct heap_object *heap_objects;
	int memory; /* descriptor for reading the process's memory; -1: not available */
	uint64_t until_ns;     /* deadline on CLOCK_MONOTONIC; 0: no limit */
	uint64_t until_cpu_ns; /* deadline on CLOCK_THREAD_CPUTIME_ID */
	bool late;
};

/* Returns whether the deadline of symbols_limit has passed. Then only the tables of functions are read. */
bool symbols_over(struct symbols *s);

/* Returns the demangled name without parameter lists. malloc()ed. */
char *symbols_demangle(const char *name);

/* ---- one place (symbols_names.c) ---- */

bool symbols_begins(const char *text, const char *prefix);

/* Returns the demangled name of a function or variable DIE, or NULL when it has none. malloc()ed. */
char *symbols_die_name(Dwarf_Die *die);

/* Shortens the name of a function: "LruCache<...long...>::get" becomes "LruCache<…>::get", and "[abi:cxx11]" is removed. Changes `name`, and
   returns it; NULL stays NULL. */
char *symbols_shorten(char *name);

/* Returns whether a file in this directory belongs to the system: the C, C++ and Rust libraries and the compiler's headers. */
bool symbols_system_path(const char *dir);
/* Returns whether the source file belongs to a test framework that a project compiles itself: Catch2, doctest,
   GoogleTest, Boost.Test. */
bool symbols_framework_file(const char *dir, const char *file);
/* Like symbols_system_path, for a module, given the last component of its name. */
bool symbols_system_module(const char *name);
/* Returns whether Rust has made this symbol, in either of its manglings. */
bool symbols_rust_mangled(const char *symbol);
/* Returns whether a function with this name, from a program in Rust, belongs to std: "core::fmt::write", "<alloc::vec::Vec<T> as Drop>::drop". */
bool symbols_rust_std(const char *function);
/* Sets REC_FRAME_USER unless the frame belongs to the system or to a test framework. */
void symbols_classify(struct rec_frame *f);
/* Returns the compilation unit of an address, or NULL when there is no debug information. clang writes no .debug_aranges, without which libdwfl
   finds no unit; then every unit is searched. */
Dwarf_Die *symbols_unit_at(Dwfl_Module *module, uint64_t addr, Dwarf_Addr *bias);

/* ---- code (symbols.c) ---- */

/* Returns the path of a module; NULL when it has none. */
const char *symbols_module_path(Dwfl_Module *module);
/* Returns the last component of that path; NULL when module is NULL or has no path. */
const char *symbols_module_name(Dwfl_Module *module);

/* Lists the scopes around addr, innermost first; inlined functions appear where they were inlined. Returns their number. *out must be free()d. */
int symbols_scopes_at(Dwarf_Die *cu, uint64_t addr, Dwarf_Die **out);

#define SYMBOLS_WHOLE UINT64_MAX /* as a size: the object that a pointer to the address points to */

/* Returns "queue.lock" for an address in a module's data, "T0.1's count" for one in a thread's block of thread-local
   variables, or NULL. With a size: the innermost part that contains that many bytes. *value (may be NULL) becomes their
   type, if known. */
char *symbols_variable(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value);
/* Returns "count" for an offset in a module's block of thread-local variables, or NULL. size and *value as above. */
char *symbols_thread_local(struct symbols *s, Dwfl_Module *module, uint64_t offset, uint64_t size,
	struct value_type *value);
void symbols_free_variables(struct symbols *s);

/* ---- threads (symbols_threads.c) ---- */

/* Returns "T0.1's count" for bytes of a thread-local variable of the program, or NULL. size and *value as above. */
char *symbols_in_thread(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value);
void symbols_free_threads(struct symbols *s);

/*
 * Returns "main::m" for an object on a stack: the only local variable of that kind of object in the user's function at
 * pc (a return address). NULL when there is none, or more than one.
 */
char *symbols_local(struct symbols *s, unsigned kind, uint64_t pc);

/* Returns "main::counter" for bytes in the frame of the function at pc (a return address) whose canonical frame address is cfa; or NULL. */
char *symbols_in_frame(struct symbols *s, uint64_t pc, uint64_t cfa, uint64_t addr, uint64_t size, struct value_type *value);

/* ---- the heap (symbols_heap.c) ---- */

bool symbols_on_heap(const struct symbols *s, uint64_t addr);

/* Returns "heap#2" or "heap#2+8"; NULL when no known block contains the address. */
char *symbols_block_name(const struct symbols *s, uint64_t addr);

/* Returns "Queue::head" or "struct queue.head" for bytes of a structure inferred from source lines, or NULL. *value as above. */
char *symbols_in_heap_object(struct symbols *s, uint64_t addr, uint64_t size, struct value_type *value);

/* ---- types (symbols_types.c) ---- */

#define SYMBOLS_NESTING 64    /* limit on nested types and scopes: deeper nesting means damaged debug information */
#define SYMBOLS_PATH_TEXT 512

/* Gets the type of a variable or member, or the type that a derived type refers to. */
bool symbols_type_of(Dwarf_Die *die, Dwarf_Die *type);
/* Strips typedefs and qualifiers. Returns false when no type remains (void, or damaged). */
bool symbols_peel(Dwarf_Die *type);
/* The size of a type in bytes; 0: unknown. */
uint64_t symbols_type_size(const Dwarf_Die *type);

/*
 * Appends the path of the part at the offset in a variable of this type: ".in.m", "[2].m", or nothing for the start. With a size:
 * the innermost part that contains that many bytes, and "+4" for bytes that begin inside it. With SYMBOLS_WHOLE: the largest
 * part that begins there, but an element rather than its array.
 */
void symbols_append_path(Dwarf_Die type, uint64_t offset, uint64_t size, char path[SYMBOLS_PATH_TEXT]);

/* Finds a member of a structure or class, also in base classes and anonymous members: its type, and its offset from the
   beginning. false: there is no such member, or it is a bit field or static. */
bool symbols_member(Dwarf_Die type, const char *name, Dwarf_Die *member, uint64_t *offset);

/* Returns whether `part` begins at the offset in the other type. */
bool symbols_has_part(Dwarf_Die type, uint64_t offset, Dwarf_Die part);
bool symbols_same_type(Dwarf_Die *a, Dwarf_Die *b); /* compilation units have their own copies of a type */
bool symbols_is_cxx(Dwarf_Die *die);

/* Gets the value type of the bytes [offset, offset + size) of a variable of this type. Returns false, with *out unknown, if it has none. */
bool symbols_value_type(Dwarf_Die type, uint64_t offset, uint64_t size, struct value_type *out);

/* Gets the source line of the frame. Returns false when the file is missing, or newer than `binary`. */
bool symbols_source_line(const struct rec_frame *frame, const char *binary, char *buf, int size);

/* Functions on source lines (symbols_access.c). This one replaces comments and the contents of strings by blanks. */
void symbols_blank_out(char *line);
/* Returns the length of the bracketed text at p, including both brackets; 0 when they do not match. */
size_t symbols_brackets(const char *p);
/* Returns whether the star at p dereferences a pointer, as opposed to a multiplication or a declaration. */
bool symbols_is_dereference(const char *line, const char *p);

/* Gets the source line of the user's code at the return address. */
bool symbols_line_at(struct symbols *s, uint64_t pc, char *buf, int size);

/* Returns the only expression of the line that is read, or written, through a pointer; NULL when there is none or several. */
char *symbols_access_in_line(const char *line, bool write);

/* Returns the object of the only call of this method in the line: "self.items" of "self.items.lock()". NULL: there is none, or several. */
char *symbols_receiver(const char *line, const char *method);

/*
 * Returns "q->lock" for an object without a symbol: the argument of the call in the source line of this frame.
 * NULL when the source is missing, newer than `binary`, or too complex.
 */
char *symbols_from_source(const struct rec_frame *frame, unsigned kind, const char *binary);

#endif
