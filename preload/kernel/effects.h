/*
 * What calls of libc and of the kernel do with resources (resources.h), as data: effects.def.
 */
#ifndef SIMUL_EFFECTS_H
#define SIMUL_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/kernel/resources.h"

enum effect_kind {
	EFFECT_END,
	EFFECT_PROCESS,   /* a resource of the process */
	EFFECT_QUESTION,  /* the same, if the first argument is `flags`; the call has no other effects */
	EFFECT_PATH,      /* what a path stands for */
	EFFECT_OPEN,      /* opens a path with the flags of open */
	EFFECT_STREAM,    /* opens a path with the mode of fopen */
	EFFECT_SHARED,    /* opens shared memory or a semaphore by name */
	EFFECT_FILE,      /* the file of a descriptor */
	EFFECT_LISTING,   /* the directory of a DIR */
	EFFECT_SEEK,      /* the position in a file, and its length if `whence` says so */
	EFFECT_SETTINGS,  /* settings of the open file of a descriptor; flags: enum settings_of */
	EFFECT_THREAD,    /* settings of a thread; flags: enum settings_of */
	EFFECT_THREAD_ID, /* the same by its id; 0: the caller */
	EFFECT_NUMBERS,   /* opens or closes descriptors */
	EFFECT_CUT,       /* changes the length of the file of a descriptor, which may be mapped; flags: the argument with the length */
	EFFECT_CUT_PATH,  /* the same for a path */
	EFFECT_HOLE,      /* fallocate */
	EFFECT_GROW,      /* posix_fallocate */
};

/* With EFFECT_NUMBERS: whether exec closes the new descriptor. */
enum cloexec {
	CLOEXEC_NEVER,
	CLOEXEC_ALWAYS,
	CLOEXEC_FLAG,  /* if an argument contains O_CLOEXEC */
	CLOEXEC_MEMFD, /* MFD_CLOEXEC */
	CLOEXEC_MODE,  /* 'e' in the mode of fopen */
};

#define NO_ARGUMENT 0xff

/* One effect of a call. Unused members are 0. */
struct effect_of_call {
	uint8_t kind;
	uint8_t at;        /* number of the argument with the path, descriptor or DIR; with EFFECT_PROCESS the resource, with EFFECT_NUMBERS enum cloexec */
	uint8_t directory; /* argument with the directory of a relative path; NO_ARGUMENT: the working directory */
	uint8_t flags;     /* argument with the flags, mode or whence; with EFFECT_PROCESS one that must not be 0; NO_ARGUMENT: none */
	uint8_t use;       /* enum resource_use; with EFFECT_PATH that of the entry */
	uint8_t contents, attributes, position, names;
	bool follow;
	bool length; /* file_use.length */
};

/* Call it right before a call with these effects and arguments, outside of simul. If it uses visible resources, this is an event, and no other
   thread runs between it and the call. */
void effects_before(const struct effect_of_call *effects, const uint64_t arg[6], const void *pc);

/* The effects of each call that effects.def lists. */
#define CALL(name, ...) extern const struct effect_of_call effects_of_##name[];
#include "preload/kernel/effects.def"

#endif
