/* The data that the kernel puts on the stack of a new program: arguments, environment, auxiliary vector. See place_plan.h. */
#ifndef SIMUL_PLACE_STACK_H
#define SIMUL_PLACE_STACK_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/session.h"

struct start_stack {
	uint64_t sp, lo, hi;   /* of the process, and its mapping */
	unsigned char *bytes;  /* contents from sp upwards; malloc()ed */
	uint64_t *word;        /* the same */
	size_t argc, envc;
	Elf64_auxv_t *aux;     /* within `bytes` */
	size_t aux_n;          /* with the AT_NULL at its end */
};

/* Reads it. false: it does not have the kernel's format. */
bool start_stack_read(struct start_stack *s, int mem_fd, uint64_t sp, uint64_t lo, uint64_t hi);
void start_stack_free(struct start_stack *s);

/* Returns the value of an entry of the vector; 0: no such entry. */
uint64_t start_stack_value(const struct start_stack *s, uint64_t type);

/* Offsets by which memory moves, to be added to an address. */
struct start_moves {
	uint64_t program, linker, kernel, stack;
};

/* The same data at addresses that depend on its contents only. */
struct start_image {
	uint64_t at, sp;        /* where to write it, and the new stack pointer, after the stack has moved */
	unsigned char *bytes;   /* malloc()ed */
	size_t size;
	size_t kernel_entry;    /* offset in it of the entry AT_SYSINFO_EHDR; 0: there is none */
	Elf64_auxv_t *aux;      /* within `bytes`: the new vector */
};

/* false: there is no room on the stack. */
bool start_image_make(struct start_image *out, const struct start_stack *s, const struct start_moves *m);

#endif
