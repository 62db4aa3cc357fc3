/*
 * What the parts of the patcher share while they work on one module. This data is in scratch memory, which is freed at the end; the data
 * that stays is in trap.h.
 *
 * The order of work: module.c finds the functions. decode.c makes a record of each instruction and of each access to memory. analyse.c
 * decides which functions move and where the old code must lead to the new. emit.c writes the new code. apply.c changes the old code.
 * Places in the module's code are offsets from image.lo.
 */
#ifndef SIMUL_PATCH_ENGINE_H
#define SIMUL_PATCH_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/patch/patch.h"

/* An array that grows in place: `max` elements are reserved, and the kernel adds pages as they are used. */
struct vec {
	void *at;
	size_t n, max, bytes;
	bool lost; /* an element was dropped because there was no room */
};

struct segment {
	uint64_t lo, hi;      /* the part that comes from the file */
	uint64_t end;         /* end of the zeroes that follow */
	bool exec, write;
};

/* A loaded module. */
struct image {
	char path[256];
	uint64_t base;
	uint64_t lo, hi;      /* the range of all executable segments */
	const uint8_t *text;  /* the original bytes from lo on */
	uint64_t all_lo, all_hi;
	uint64_t relro_lo, relro_hi;
	struct segment seg[24];
	unsigned segs;
	const uint8_t *eh_hdr;
	const void *dynamic;  /* the dynamic section; NULL: there is none */
	uint64_t dynamic_bytes;
	bool fixed;           /* the module is not position-independent */
};

/* A function: the code that one entry of the unwind information describes. */
struct func {
	uint32_t lo, hi;
	uint32_t next;        /* start of the next function */
	uint32_t first, last; /* its instructions */
	uint32_t accesses;    /* number of accesses that get a hook */
	uint8_t reason;       /* enum patch_reason */
	bool foreign;         /* not a function of the module's source: the linker's stubs, signal frames */
	bool frame;           /* rbp is the function's frame pointer */
	bool escapes;         /* the function takes an address of its stack */
	bool backwards;       /* the function sets the direction flag */
	bool moved;           /* the function gets new code */
	bool pulled;          /* the function moves even if it has no accesses */
	bool dirty;           /* analyse.c has to process the function again */
};

enum insn_kind {
	K_PLAIN,
	K_JCC,
	K_LOOP, /* loop, jrcxz: a short displacement only */
	K_JMP,
	K_JMP_INDIRECT,
	K_CALL,
	K_CALL_INDIRECT,
	K_RET,
	K_STOP, /* ud2, hlt */
};

enum insn_flags {
	I_EXTERNAL = 1,  /* old code, data or the unwinder may lead here */
	I_LEADER = 2,    /* a direct branch leads here */
	I_IN_PLACE = 4,  /* the instruction keeps its old bytes */
	I_ACCESS = 8,    /* `ref` is its first access */
	I_RIP = 16,      /* has a displacement relative to rip, at disp_off */
	I_SPLIT = 32,    /* a read-modify-write that is taken apart */
	I_SCAN = 64,     /* rep cmps, rep scas: becomes a loop */
	I_ENDBR = 128,
	I_CLOCK = 256,   /* rdtsc, rdtscp: becomes a hook */
	I_ENTERS = 1024, /* a function that is taken as one step begins here */
	I_LEAVES = 2048, /* it may end here */
	I_HOOKED = I_ACCESS | I_CLOCK | I_ENTERS | I_LEAVES,
	I_AWAY = 512,    /* a call that the new code makes, with a return address in the old code */
};

struct insn {
	uint32_t off;
	uint8_t len, kind;
	uint16_t flags;
	int32_t ref;         /* target of a direct branch, or first access */
	uint8_t disp_off, opcode, rep, pad_;
};

enum site_kind {
	SITE_PLAIN,
	SITE_REPEAT, /* a repeated string instruction, which accesses rcx elements upwards or downwards from the address */
	SITE_BITS,   /* bt, bts, btr, btc with the bit's number in a register: the bit may be in another word */
	SITE_TABLE,  /* xlat: al is added to the address */
	SITE_TLS,    /* relative to fs: the thread pointer is added to the address */
	SITE_PAIR,   /* cmpxchg8b: two registers of 4 bytes are compared */
	SITE_CLOCK,  /* not an access but rdtsc, or with reg 1 rdtscp; the hook takes the place of the instruction */
};

struct access {
	int32_t disp;
	uint16_t size;
	uint16_t flags;             /* MEM_*; with MEM_FENCE a fence, which has no address */
	uint8_t base, index, scale; /* scale 0..3 */
	uint8_t kind;               /* enum site_kind */
	uint8_t reg;                /* SITE_BITS: the register with the bit number. If `overwrites`: the overwritten register */
	bool more;                  /* the next access belongs to the same instruction */
	bool addr32;
	bool reported;              /* the function reports it itself (sensed.c) */
	bool overwrites, flags_dead, adds; /* as in site.h */
};

struct engine {
	struct image image;
	struct patch_config config;
	struct patch_module *m;
	struct vec funcs, insns, accesses;
	struct vec candidates;  /* uint32_t: places to which code or data may lead */
	struct vec taken;       /* uint32_t: places whose address a lea takes; each must be an instruction */
	struct vec tables;      /* uint64_t: addresses of data that a lea takes, perhaps of a jump table */
	struct vec text_data;   /* uint32_t: places in the code that are read as data */
	struct vec blind;       /* uint32_t: where code without unwind information begins */
	struct vec sensor;      /* the functions of config.sensor (sensed.c) */
	uint64_t *boundary;     /* bitmap of instruction starts */
	const uint64_t *pointed; /* if `library` is set: bitmap of the places to which its data points (analyse_pointers) */
	uint32_t *new_off;      /* by instruction: its offset in the new code; 0: none */
	const struct decoder *decoder;
	struct library *library; /* the library of which a part is patched now; NULL: the whole module is patched */
	/* new code */
	uint8_t *region, *sites_at, *code_at, *code_end, *out;
	uint64_t region_bytes;
	uint32_t sites;
	struct vec fixups;      /* FIXUP_BYTES each: distances that are not known yet */
	struct vec map;         /* struct map_entry; this memory stays */
	bool too_far;           /* some distance does not fit into 32 bits */
};

/* ---- scratch.c ---- */
/* Reserves room for max elements. Returns false when there is none. */
bool vec_make(struct vec *v, size_t element, size_t max);
void vec_free(struct vec *v);
#define VEC_PUSH(v, type, ...) (((v)->n < (v)->max) ? (void)(((type *)(v)->at)[(v)->n++] = (type)__VA_ARGS__) : (void)((v)->lost = true))
#define VEC_AT(v, type, i) (&((type *)(v)->at)[i])

/* Returns the first access of the instruction; NULL: it has none that is reported. */
static inline struct access *insn_access(const struct engine *e, const struct insn *in)
{
	return in->flags & I_ACCESS ? VEC_AT(&e->accesses, struct access, (size_t)in->ref) : NULL;
}

/* ---- x86_64/code_bytes.c ---- */
/* Returns whether the code is a linker's stub for calls of other modules. */
bool code_is_stub(const uint8_t *p, uint64_t bytes);
/* If the instruction names memory relative to itself, sets *place to the address and returns true. */
bool code_names(const struct engine *e, const struct insn *in, uint64_t *place);
/* If a linker's stub is at this offset, sets *place to where it reads the address of the function, and returns true. */
bool code_stub_entry(const struct engine *e, int64_t off, uint64_t *place);
/* Returns whether a breakpoint instruction is there. */
bool code_is_breakpoint(uint64_t pc);
/* Fills the bytes with breakpoint instructions. */
void code_fill(void *at, uint64_t bytes);

/* ---- x86_64/hook.c ---- */
/* Called before anything is patched. Returns false when the processor lacks XSAVE. */
bool hook_init(const struct patch_config *config);

/* ---- x86_64/sensed.c ---- */
/* Notes where the module has the addresses of config.sensor's functions. Returns false when memory runs out. */
bool sensed_begin(struct engine *e);
/* Returns whether the function, whose instructions are decoded, calls one of these. Sets `reported` of its accesses. */
bool sensed_function(struct engine *e, const struct func *f);

/* ---- x86_64/acquire.c ---- */
/* Calls config.acquires for the compare-and-swaps of the decoded functions that take locks. */
void acquire_find(const struct engine *e);
/* Calls config.lock_op for the parts of operations of reader-writer locks in the decoded functions. */
void lock_op_find(struct engine *e);
/* Returns where the code continues if the i-th instruction is a compare-and-swap that fails; -1: it is none, or the code does not ask. */
int64_t acquire_fails(const struct engine *e, size_t i);
/* Returns the first branch after the i-th instruction. No instruction in between may change flags, unless the code compares there. NULL: there is none near by. */
const struct insn *acquire_branch(const struct engine *e, size_t i, bool compares);
/* Returns whether the instruction exchanges a register and memory at once. */
bool acquire_exchanges(const struct engine *e, const struct insn *in);
/* Returns whether the instruction loads 4 bytes into the register from which a compare-and-swap takes the value that it expects. */
bool acquire_loads(const struct engine *e, const struct insn *in);
/* Returns what config.waits says of the function that the code from off on calls, which has no other branches before it; 0: nothing. *by: the call. */
uint32_t acquire_leads(const struct engine *e, int64_t off, const struct insn **by);

/* ---- pairs.c ---- */
/* Calls config.paired for such pairs in the decoded functions. */
void pairs_find(const struct engine *e);

/* ---- alike.c ---- */
/* See patch_alike; the module is decoded. */
bool alike_find(struct engine *e, const struct patch_alike *alike);

/* ---- imports.c ---- */
/* Calls each for all places to which the loader writes the address of a function or variable with a name, now or at the first call. */
void imports_each(const struct image *im, void (*each)(void *ctx, uint64_t place, const char *name), void *ctx);

/* ---- module.c ---- */
/* Fills e->image. Returns false, with the reason in e->m->refused, when the module cannot be patched. */
bool module_find(struct engine *e, const void *addr);
/* Fills e->funcs, sorted, and adds landing pads to e->candidates. Returns false as module_find does. */
bool module_functions(struct engine *e);
/* Fills *f with the function of the table's i-th entry, and compares it with its neighbours. Adds its landing pads to e->candidates.
   Returns false when the entry is invalid. Only for a module whose table module_table knows. */
bool module_function(struct engine *e, uint64_t i, struct func *f);
/* Like module_function, but does not compare with the neighbours and adds no landing pads. */
bool module_peek(struct engine *e, uint64_t i, struct func *f);
/* Sets *n to the number of entries of the table of functions. Returns false when its form is unknown. */
bool module_table(const struct image *im, uint64_t *n);
/* Sets *i to the number of the last entry that begins at `addr` or before it. Returns false when there is none. */
bool module_entry(const struct image *im, uint64_t addr, uint64_t *i);
/* Returns whether the address lies in memory of the module that is never written. */
bool module_constant(const struct image *im, uint64_t addr);

/* ---- cfi.c ---- */
struct cfi_cie {
	const uint8_t *at, *insns, *end;
	uint8_t fde_enc, lsda_enc;
	bool augmented, signal;
};
/* The contents of an FDE, the unwind information of one function. */
struct cfi_fde {
	uint64_t lo, hi, lsda;
	bool signal, frame, part; /* part: the code begins in the middle of a frame */
};
/* Reads an FDE. `last` caches its CIE. Returns false when it is invalid. */
bool cfi_read(const uint8_t *fde, struct cfi_cie *last, struct cfi_fde *out);
uint64_t cfi_pointer(const uint8_t **p, uint8_t enc, uint64_t datarel);
uint64_t cfi_uleb(const uint8_t **p);
int64_t cfi_sleb(const uint8_t **p);

/* ---- x86_64/decode.c ---- */
/* Loads the decoder. Returns false when that fails. */
bool decode_open(struct engine *e);
/* Decodes all functions. */
void decode_functions(struct engine *e);
/* Decodes one function; its instructions are appended. */
void decode_one(struct engine *e, struct func *f);
/* Returns whether most of [lo, hi) is code of functions, not padding or the linker's stubs. */
bool decode_is_code(struct engine *e, uint64_t lo, uint64_t hi);

/* Decodes from f->lo to the end of the function there, which is at most `most` bytes long, and records nothing. Calls leads(ctx, off) for the places
   to which it leads. Returns whether these bytes are code, and sets *accesses to whether it accesses memory that others may see. */
bool decode_walk(
	struct engine *e, struct func *f, uint32_t most, bool *accesses, void (*leads)(void *ctx, int64_t off), void *ctx);

/* ---- blind.c ---- */
/* Adds code without unwind information that the module may run to e->blind. The functions are decoded. */
void blind_find(struct engine *e);
/* Calls `found` for such code of a library to which the functions in e->funcs lead. */
void blind_reached(struct engine *e, void (*found)(struct engine *e, uint32_t off));
/* The same for code at the place, which is executed now, and what it leads to. What the loader calls does not count. */
void blind_at(struct engine *e, uint32_t off, void (*found)(struct engine *e, uint32_t off));
/* Calls `found` for such code in [lo, hi) that other modules can call. */
void blind_exported(struct engine *e, uint32_t lo, uint32_t hi, void (*found)(struct engine *e, uint32_t off));

/* The way in which a read-modify-write is split (x86_64/decode_split.c). */
struct split {
	uint8_t temp;         /* a register that the instruction does not use: 0..3 */
	uint8_t size;
	bool whole;           /* the loaded value is stored again, and then the instruction itself is executed; the fields below are not set */
	bool carry;           /* the operation reads the carry flag */
	uint8_t bytes[16], n; /* the instruction that does the operation on the register */
};
/* Sets *s to the way in which the instruction is split. Returns false when it cannot be split. */
bool decode_split(struct engine *e, const struct insn *in, struct split *s);

/* ---- analyse.c ---- */
/* Decides which functions move, and which of their places are external. */
void analyse(struct engine *e);
/* Sets a bit for each place in the code to which a word of the module's data points. */
void analyse_pointers(const struct image *im, uint64_t *pointed);
/* Returns the instruction that starts at the place, or NULL. Sets *f to its function; f may be NULL. */
struct insn *analyse_find(const struct engine *e, int64_t off, struct func **f);
/* Returns the function that contains the place, or NULL. */
struct func *analyse_func(const struct engine *e, int64_t off);

/* ---- x86_64/emit.c ---- */
enum { FIXUP_BYTES = 8 };
/* Writes the new code and applies it. Returns false with the reason in e->m->refused. */
bool emit(struct engine *e);
/* Writes the new code to e->region, which has enough room, and leaves the old code as it is. e->fixups and e->map have room, and e->new_off
   is all zero. */
bool emit_at(struct engine *e);
/* Returns an upper bound for the bytes that emit_at needs. */
uint64_t emit_room(const struct engine *e);

/* ---- x86_64/apply.c ---- */
/* Maps e->region at an address from which all of the module can be reached. Returns false when there is none. */
bool apply_reserve(struct engine *e, uint64_t bytes);
/* Replaces the old code. Returns false with the reason in e->m->refused. */
bool apply(struct engine *e);
/* Replaces the code of e->funcs in place, where it is writable. `use`: a zero byte for each byte of the module's code. */
void apply_part(struct engine *e, uint8_t *use);

/* Makes code executable and not writable, permanently or until it is changed again. Does not return if the kernel refuses. */
void make_executable(const struct patch_report *report, uint64_t lo, uint64_t bytes);

#endif
