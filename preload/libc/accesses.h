/*
 * Functions of libc whose accesses libc.def describes: the meaning of the descriptions, and the data behind the entries in x86_64/entry.S.
 *
 * While no sensor is on, an entry is a test and a jump. Otherwise libc_before reports the accesses that the call is about to make. If they
 * are not known before the call, the entry calls the function, and libc_after reports the rest. If the destination is visible to the
 * search, libc writes to a buffer of simul. Then the write is reported and the buffer is copied in one step.
 */
#ifndef SIMUL_LIBC_ACCESSES_H
#define SIMUL_LIBC_ACCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "preload/accesses/libc_state.h"

struct effect_of_call;

/* A call of such a function. x86_64/entry.S depends on the offsets. */
struct libc_call {
	uint64_t arg[6];    /* the argument registers, in the layout that va_arg reads */
	uint64_t xmm[16];
	uint64_t rax;       /* before the call: the number of vector registers that a variadic call uses; after it: the result */
	uint64_t *stack;    /* arguments on the stack */
	uint64_t pc;        /* return address */
	const struct libc_function *function;
	/* a buffer that replaces the program's memory: libc reads from it, or libc_after copies it to `destination` */
	void *landing, *destination;
	size_t landing_size;
	void *shared; /* a stream of which the call has the lock */
	const char *lock; /* the lock of libc in the model that the call has */
	uint64_t locks;   /* it has a lock of libc in the kernel, and frees memory meanwhile */
};

/* What a function does with an argument; the macros below have the details. */
enum role_kind {
	ROLE_END,
	ROLE_IN,
	ROLE_OUT,
	ROLE_OUT_UPTO,
	ROLE_WRITTEN,
	ROLE_STRING,
	ROLE_WIDE_STRING,
	ROLE_STRING_UPTO,
	ROLE_WIDE_STRING_UPTO,
	ROLE_NUMBER,
	ROLE_WIDE_NUMBER,
	ROLE_CHARACTER,
	ROLE_READS,
	ROLE_UPDATES,
	ROLE_ORDERED,
	ROLE_ASKS,
	ROLE_UPDATES_IF_NULL,
	ROLE_LOCALE_CHANGE,
	ROLE_STATE,
	ROLE_RESULT,
	ROLE_RESULT_IF_NULL,
	ROLE_STREAM,
	ROLE_USES,
	ROLE_LOOKS,
	ROLE_CLEARS,
	ROLE_TAKES,
	ROLE_CLOSES,
	ROLE_UNLOCKED,
	ROLE_LINE,
	ROLE_DIRECTORY,
	ROLE_USES_DIRECTORY,
	ROLE_ENTRY,
	ROLE_ENTRY_NAME,
	ROLE_IN_AT,
	ROLE_OUT_AT,
	ROLE_VECTORS_IN,
	ROLE_VECTORS_OUT,
	ROLE_FORMAT,
	ROLE_TEXT_TO,
	ROLE_STRINGS,
	ROLE_VARIABLES,
	ROLE_CANCELS,
	ROLE_LOCKS,
	ROLE_FLUSHES,
	ROLE_WRITES,
	ROLE_OUTSIDE,
	ROLE_UNSEEN
};

enum role_variables {
	VARIABLES_SIGNGAM,
	VARIABLES_ENVIRON,
	VARIABLES_OPTIND,
	VARIABLES_TIMEZONE
};

/* How the result of the call determines how much of a destination was written. */
enum role_extent {
	/* as many bytes, words of 4 or 8 bytes, or items of the size in argument 1 or 2, as the result says */
	BY_RESULT = 1, BY_RESULT_TIMES_4, BY_RESULT_TIMES_8, BY_ITEMS_1, BY_ITEMS_2,
	BY_TEXT,       /* a string, unless the result is NULL */
	BY_TEXT_IF_0, BY_TEXT_THERE, BY_WIDE_TEXT, /* a string if the result is 0; a string if the result is the destination; a wide string unless it is NULL */
	BY_LENGTH,     /* the result is the length of the whole string; the written string is cut to the size */
	BY_LENGTH_AND_0, /* like BY_LENGTH, but the result counts the terminator */
	BY_COUNT, BY_WIDE_COUNT, /* as many characters as the result says and, if there is room, a terminator */
	BY_ALL_IF_0, BY_ALL_IF_RESULT, BY_ALL_UNLESS_NEGATIVE, BY_ENTRY /* the whole destination if the call succeeded; a directory entry */
};

/* Sizes, as three fields: a * b * k, where a and b are numbers of arguments. */
#define NO_ARG 0xff
#define AS_INT 0x80 /* the argument is an int */
#define STDIN 0xfe
#define STDOUT 0xfd
#define STDERR 0xfc
#define BYTES(k) NO_ARG, NO_ARG, k
#define ARG(i) i, NO_ARG, 1
#define ARG_TIMES(i, k) i, NO_ARG, k
#define PRODUCT(i, j) i, j, 1
#define INT_ARG(i) i | AS_INT, NO_ARG, 1
#define INT_ARG_TIMES_4(i) i | AS_INT, NO_ARG, 4
#define INT_ARG_TIMES_8(i) i | AS_INT, NO_ARG, 8
#define PAGES(i) i, NO_ARG, 0 /* one byte for each page of a range with as many bytes as argument i says */
#define TEXT NO_ARG, NO_ARG, 0xfffe      /* up to the terminator */
#define WIDE_TEXT NO_ARG, NO_ARG, 0xffff

/* One role of an argument. */
struct role {
	uint8_t kind, extent, arg, a, b, pad_;
	uint16_t k;
};
#define ROLE(kind, extent, arg, ...) ROLE_(kind, extent, arg, __VA_ARGS__)
#define ROLE_(kind_, extent_, arg_, a_, b_, k_) {.kind = kind_, .extent = extent_, .arg = arg_, .a = a_, .b = b_, .k = k_}
#define NO_SIZE NO_ARG, NO_ARG, 0

/* Bytes to which an argument points. IN: read. OUT: written. OUT_UPTO: a part of them is written. WRITTEN: written, with an unknown size. */
#define IN(arg, ...) ROLE(ROLE_IN, 0, arg, __VA_ARGS__)
#define OUT(arg, ...) ROLE(ROLE_OUT, 0, arg, __VA_ARGS__)
#define OUT_UPTO(arg, ...) OUT_UPTO_(arg, __VA_ARGS__)
#define OUT_UPTO_(arg, a, b, k, extent) ROLE(ROLE_OUT_UPTO, extent, arg, a, b, k)
#define WRITTEN(arg, extent) ROLE(ROLE_WRITTEN, extent, arg, NO_SIZE)
#define BY_ITEMS(i) BY_ITEMS_##i
/* Argument i points to an int. It is the number of ints written, or the largest number of bytes written. */
#define OUT_ITEMS(arg, i) ROLE(ROLE_OUT_AT, 4, arg, i, NO_ARG, 0)
#define OUT_AT_MOST(arg, i) ROLE(ROLE_OUT_AT, 1, arg, i, NO_ARG, 0)
/* The argument points to a pointer to the bytes, argument i to their size (iconv). */
#define IN_AT(arg, i) ROLE(ROLE_IN_AT, 0, arg, i, NO_ARG, 0)
#define OUT_AT(arg, i) ROLE(ROLE_OUT_AT, 0, arg, i, NO_ARG, 0)
/* Strings. KEPT_STRING: the function keeps the address. */
#define STRING(arg) ROLE(ROLE_STRING, 0, arg, NO_SIZE)
#define KEPT_STRING(arg) ROLE(ROLE_STRING, 1, arg, NO_SIZE)
#define WIDE_STRING(arg) ROLE(ROLE_WIDE_STRING, 0, arg, NO_SIZE)
#define STRING_UPTO(arg, i) ROLE(ROLE_STRING_UPTO, 0, arg, ARG(i))
#define WIDE_STRING_UPTO(arg, i) ROLE(ROLE_WIDE_STRING_UPTO, 0, arg, ARG(i))
/* An array of strings, up to a null pointer. */
#define STRINGS(arg) ROLE(ROLE_STRINGS, 0, arg, NO_SIZE)
/* NUMBER: a number at the beginning of a string. IN_CHARACTER: one character, of at most as many bytes as argument i says. */
#define NUMBER(arg) ROLE(ROLE_NUMBER, 0, arg, NO_SIZE)
#define WIDE_NUMBER(arg) ROLE(ROLE_WIDE_NUMBER, 0, arg, NO_SIZE)
#define IN_CHARACTER(arg, i) ROLE(ROLE_CHARACTER, 0, arg, ARG(i))
/* Objects of libc. READS: read. UPDATES: read and written. ORDERED: read and written under a lock, so that only the order of calls matters. */
#define READS(object) ROLE(ROLE_READS, LIBC_##object, 0, NO_SIZE)
#define UPDATES(object) ROLE(ROLE_UPDATES, LIBC_##object, 0, NO_SIZE)
#define ORDERED(object) ROLE(ROLE_ORDERED, LIBC_##object, 0, NO_SIZE)
#define ASKS(object) ROLE(ROLE_ASKS, LIBC_##object, 0, NO_SIZE)
#define UPDATES_IF_NULL(arg, object) ROLE(ROLE_UPDATES_IF_NULL, LIBC_##object, arg, NO_SIZE)
#define LOCALE_CHANGE(arg) ROLE(ROLE_LOCALE_CHANGE, LIBC_locale, arg, NO_SIZE)
/* The state of a conversion, to which the argument points; libc's own state if the argument is NULL. */
#define STATE(arg, object) ROLE(ROLE_STATE, LIBC_##object, arg, NO_SIZE)
/* The result points to memory of libc, which every call writes. */
#define RESULT(object, ...) ROLE(ROLE_RESULT, LIBC_##object, 1, __VA_ARGS__)
/* The result contains pointers to text of libc, which every call overwrites and no role describes. */
#define TEXT_UNSEEN ROLE(ROLE_UNSEEN, 0, 0, NO_SIZE)
/* Like RESULT, for a call that writes this memory but returns something else. */
#define RESULT_OF(object, ...) ROLE(ROLE_RESULT, LIBC_##object, 0, __VA_ARGS__)
#define RESULT_IF_NULL(arg, object, ...) ROLE(ROLE_RESULT_IF_NULL, LIBC_##object, arg, __VA_ARGS__)
/* Writes variables of libc or libm that the program can read: signgam; environ and its array; optind, optarg and
   optopt; timezone, daylight and tzname. */
#define SIGNGAM ROLE(ROLE_VARIABLES, VARIABLES_SIGNGAM, 0, NO_SIZE)
#define SETS_ENVIRON ROLE(ROLE_VARIABLES, VARIABLES_ENVIRON, 0, NO_SIZE)
#define SETS_OPTIND ROLE(ROLE_VARIABLES, VARIABLES_OPTIND, 0, NO_SIZE)
#define SETS_TIMEZONE ROLE(ROLE_VARIABLES, VARIABLES_TIMEZONE, 0, NO_SIZE)
#define STREAM(arg) ROLE(ROLE_STREAM, 0, arg, NO_SIZE)
#define USES(arg) ROLE(ROLE_USES, 0, arg, NO_SIZE)
#define LOOKS(arg) ROLE(ROLE_LOOKS, 0, arg, NO_SIZE)
#define CLEARS(arg) ROLE(ROLE_CLEARS, 0, arg, NO_SIZE)
#define FLUSHES(arg) ROLE(ROLE_FLUSHES, 0, arg, NO_SIZE)
/* Writes to the descriptor arg, or to that of standard error, without a stream. The extent is the descriptor; 0: it is
   the argument. */
#define WRITES(arg) ROLE(ROLE_WRITES, 0, arg, NO_SIZE)
#define WRITES_STDERR ROLE(ROLE_WRITES, 2, 0, NO_SIZE)
/* The call is a cancellation point. */
#define CANCELS ROLE(ROLE_CANCELS, 0, 0, NO_SIZE)
/* The function holds a lock of libc, and frees memory that threads may see. LOCKS: a lock of this state. */
#define LOCKS(object) ROLE(ROLE_LOCKS, LIBC_##object, 0, NO_SIZE)
#define LOCKS_STREAM ROLE(ROLE_LOCKS, LIBC_OBJECTS, 0, NO_SIZE)
#define TAKES(arg) ROLE(ROLE_TAKES, 0, arg, NO_SIZE)
#define CLOSES(arg) ROLE(ROLE_CLOSES, 0, arg, NO_SIZE)
#define UNLOCKED(arg) ROLE(ROLE_UNLOCKED, 0, arg, NO_SIZE)
#define LINE(arg, i) ROLE(ROLE_LINE, 0, arg, ARG(i))
#define STREAM_DIRECTORY(arg) ROLE(ROLE_DIRECTORY, 0, arg, NO_SIZE)
#define USES_DIRECTORY(arg) ROLE(ROLE_USES_DIRECTORY, 0, arg, NO_SIZE)
#define ENTRY ROLE(ROLE_ENTRY, 0, 0, NO_SIZE)
#define ENTRY_NAME(arg) ROLE(ROLE_ENTRY_NAME, 0, arg, NO_SIZE)
#define VECTORS_IN(arg, i) ROLE(ROLE_VECTORS_IN, 0, arg, ARG(i))
#define VECTORS_OUT(arg, i) ROLE(ROLE_VECTORS_OUT, 0, arg, ARG(i))
/* The call changes something that neither memory nor an object stands for: a file, a position in it, state of the kernel. */
#define OUTSIDE ROLE(ROLE_OUTSIDE, 0, 0, NO_SIZE)
/* No memory of the program and no object of libc: effects.def says what the call does. */
#define NO_ACCESS ROLE(ROLE_END, 0, 0, NO_SIZE)
/* FORMAT: a format and the arguments after it; the extent is the size of a character. TEXT_TO, TEXT_UPTO: the destination of the text, and
   its largest size. */
#define FORMAT(arg) ROLE(ROLE_FORMAT, 1, arg, NO_SIZE)
#define WIDE_FORMAT(arg) ROLE(ROLE_FORMAT, 4, arg, NO_SIZE)
#define TEXT_TO(arg) ROLE(ROLE_TEXT_TO, 1, arg, NO_SIZE)
#define TEXT_UPTO(arg, i) ROLE(ROLE_TEXT_TO, 1, arg, ARG(i))
#define WIDE_TEXT_UPTO(arg, i) ROLE(ROLE_TEXT_TO, 4, arg, ARG(i))

/* The real functions; see real.h. */
#define DESCRIBED(name, ...) extern void (*real_##name)(void);
#define UNSEEN(name) extern void (*real_##name)(void);
#include "preload/base/libc.def"

/* How a function uses a format. */
enum libc_family { FAMILY_PLAIN, FAMILY_PRINTF, FAMILY_SCANF };

struct libc_function {
	void (**real)(void);
	void (**with_list)(void); /* for a function with a format: the same function with a va_list, possibly `real` itself; NULL: there is none */
	const char *name;
	const struct role *roles;
	uint32_t family; /* enum libc_family */
	uint32_t outside; /* 1: like OUTSIDE, for a whole list of functions */
	const struct effect_of_call *effects; /* what it shares besides memory (kernel/effects.def); NULL: nothing */
};

/* How an entry continues. GO_ON: it jumps to the function. CALL: it calls the function and then libc_after. DONE: the call was made, and
   rax is its result. */
enum libc_way { LIBC_GO_ON, LIBC_CALL, LIBC_DONE };

/* Called by the entries, before and after the function. libc_before returns an enum libc_way. */
uint32_t libc_before(struct libc_call *c);
void libc_after(struct libc_call *c);

/* Handles a call with a format. Defined in format.c. */
enum libc_way libc_format(struct libc_call *c, const struct role *format);

/* Returns the size of a role. SIZE_MAX / 2 or more: the arguments are invalid. */
size_t libc_size(const struct libc_call *c, const struct role *r);

/* Returns argument i, or the stream that STDIN, STDOUT or STDERR stands for. */
uint64_t libc_argument(const struct libc_call *c, unsigned i);
/* Reports an access, unless the pointer or the size is invalid. */
void libc_touch(const void *p, size_t n, unsigned flags, uintptr_t pc);

/* Reports accesses to state of libc, before those to the program's memory: then no other thread runs between reading
   that memory and the call. Takes locks of libc and of streams in the model, if threads use what they protect. */
void libc_state_before(struct libc_call *c);
/* The call must come right after its accesses to the state: reports these again if other threads have run since. */
void libc_state_again(struct libc_call *c);
/* Gives the locks back. */
void libc_state_after(struct libc_call *c);
/* Reports writes of variables that the program can read itself: before the call, so that no write of another thread is
   lost, and after it, so that an access that comes after these events finds what the call wrote. */
void libc_variables(enum role_variables which, uintptr_t pc);

/* Handles a role of a stream: STREAM to UNLOCKED, or FLUSHES. Returns whether stream_release must follow the call
   (stdio_lock.h). Defined in streams.c. */
bool libc_use_stream(enum role_kind kind, uint64_t stream, uintptr_t pc);
/* Handles a role WRITES: libc writes to the descriptor without a hook. */
void libc_write_descriptor(int fd, uintptr_t pc);

#endif
