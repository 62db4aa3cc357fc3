/* What the kernel leaves on the stack of a new program: arguments, environment, the auxiliary vector. See place_plan.h. */
#ifndef SIMUL_PLACE_STACK_H
#define SIMUL_PLACE_STACK_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/session.h"

struct start_stack {
	uint64_t sp, lo, hi;   /* of the process, and its mapping */
	unsigned char *bytes;  /* what lies at sp and above; malloc()ed */
	uint64_t *word;        /* the same */
	size_t argc, envc;
	Elf64_auxv_t *aux;     /* within `bytes` */
	size_t aux_n;          /* with the AT_NULL at its end */
};

/* Reads it. false: it is not what a kernel leaves there. */
bool start_stack_read(struct start_stack *s, int mem_fd, uint64_t sp, uint64_t lo, uint64_t hi);
void start_stack_free(struct start_stack *s);

/* The value of an entry of the vector; 0: it has none. */
uint64_t start_stack_value(const struct start_stack *s, uint64_t type);

/* How far things move: to be added to an address. */
struct start_moves {
	uint64_t program, linker, kernel, stack;
};

/* The same start, at addresses that depend on its contents only. */
struct start_image {
	uint64_t at, sp;        /* where it is to be written, and the new stack pointer: when the stack has moved */
	unsigned char *bytes;   /* malloc()ed */
	size_t size;
	size_t kernel_entry;    /* offset in it of the entry AT_SYSINFO_EHDR; 0: there is none */
	Elf64_auxv_t *aux;      /* within `bytes`: the new vector */
};

/* false: there is no room on the stack. */
bool start_image_make(struct start_image *out, const struct start_stack *s, const struct start_moves *m);

#endif
