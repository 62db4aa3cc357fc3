/*
 * A certificate: the schedules of a program that a search has verified, as the order of the first events of one execution.
 *
 * The file is text (docs/format-certificate.md). `simul certify` writes it, `simul enforce` runs the program under it, `simul show`
 * prints it. Everything in it was checked when certificate_read returns: indices are in range and events only come after earlier ones, so
 * their order has no cycle.
 */
#ifndef SIMUL_CERTIFICATE_H
#define SIMUL_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/settings.h"
#include "sched/ids.h"

#define CERTIFICATE_VERSION 10
#define CERTIFICATE_MOST UINT32_C(4000000)      /* of anything in a certificate */
#define CERTIFICATE_BYTES (UINT64_C(256) << 20) /* of the file */
#define CERTIFICATE_TABLE (UINT64_C(1) << 27)   /* threads times objects */
#define NO_MODULE UINT32_MAX
#define FILES_MODULE (UINT32_MAX - 2) /* of an object that stands for all files (OWN_FILE_ALL, base/own_files.h) */
#define HEAP_MODULE (UINT32_MAX - 1) /* for blocks of the heap and mappings: the offset is the address itself, see preload/memory/heap.h */
#define NO_INPUT "none" /* `input`: standard input is empty */

struct cert_module {
	char *path;
	char *build_id;
};

/*
 * Bytes on stacks have addresses of their own, above those of all processes: STACK_TOP(thread) minus the distance from the upper end of the
 * program's part of that stack. Their module is HEAP_MODULE, too.
 */
#define STACK_TOP(thread) ((UINT64_C(1) << 47) + ((uint64_t)(thread) + 1) * STACK_BYTES)
#define STACK_BYTES (UINT64_C(1) << 30)
/* The program's own thread-local variables have such addresses as well: TLS_TOP(thread) minus the distance from the thread pointer. */
#define TLS_TOP(thread) STACK_TOP(TLS_FIRST + (uint64_t)(thread))
#define TLS_FIRST 65536u /* more than the threads of a certificate */
#define STACK_MOST (UINT64_C(1) << 40) /* bytes of one stack */
#define STACK_LOW 4096u /* The address of a stack's end, modulo this number, is the same in each process. */

struct cert_thread {
	uint32_t parent, child; /* index of the thread that created it, and its number among the threads which that one created; T0: 0, 0 */
	char *start;            /* its start routine, or NULL */
	uint32_t stack;         /* the upper end of its stack modulo STACK_LOW */
	uint64_t at, bytes, guard; /* address and size of its stack, and size of the guard below; bytes 0: the C library or the program chose the place */
	uint32_t events;        /* number of its events in the execution; counted when the certificate is read */
};

/* Bytes of a module's static memory, or of the heap. */
struct cert_range {
	uint32_t module;
	uint32_t size;
	uint64_t offset;
};

struct cert_object {
	uint8_t kind;        /* enum object_kind */
	uint32_t number;     /* "mutex#3" */
	struct cert_range at; /* where it lies. Module NO_MODULE: its first use decides, or, for OBJ_THREAD, its thread */
	uint32_t thread;     /* OBJ_THREAD: index */
	char *name;          /* or NULL */
};


struct cert_event {
	uint32_t thread;
	uint8_t kind;       /* enum event_kind */
	uint8_t failed;     /* 1: a try or a compare-and-swap that failed */
	uint8_t alt;        /* enum alternative */
	uint32_t object[2]; /* index + 1; 0: none */
	uint32_t k;         /* number of events of its thread before it; counted when the certificate is read */
	uint32_t first, n;  /* after[first .. + n): the events that it waits for */
	const char *where;  /* "queue.c:88", a text of `places`; or NULL */
	uint8_t value_size; /* number of bytes that a load or read-modify-write read, at most 8; 0: the value is not compared */
	uint64_t value;     /* little-endian */
};

/* Places in the source. Many events have the same one, and share its text. */
#define CERTIFICATE_PLACES 1024
struct cert_places {
	size_t n;
	char **text; /* all of them */
	const char *known[CERTIFICATE_PLACES]; /* by hash value, the latest one */
};

struct cert_env {
	char *name;
	uint64_t digest; /* of the value */
	bool hidden;     /* the value is not in the certificate, and not compared */
};

struct certificate {
	char *written_by, *program, *build_id, *input;
	char **argv; /* NULL-terminated */
	uint32_t processors;
	size_t n_env;
	struct cert_env *env; /* the variables that were set */
	bool env_complete;    /* it has all of them; false: an old certificate, in which those with secrets are missing */
	char *strategy;
	uint64_t executions; /* number of executions that the search had explored */
	uint64_t estimate;   /* estimated number of schedules; 0: unknown */
	uint32_t certified;  /* number of events in the prefix; 0: every schedule was explored */
	char *frozen;        /* why the prefix cannot get shorter if the search continues; NULL: it can */
	char *but;           /* what weakens the certificate; NULL: nothing */
	char *from;          /* the recording that the search began with, an absolute path; NULL: none */
	/* The options of the search that decide which executions exist and which of them fail, as in simul run: */
	struct settings settings; /* only those that are SAME in base/settings.def */
	bool fail_on_race, robustness;
	bool freed_waits;    /* 1: in the search, freed blocks of the heap were not reused at once */
	bool inline_calls;   /* the program makes system calls by its own instructions */
	size_t n_modules, n_threads, n_objects, n_shared, n_sites, n_events, n_after, n_instead;
	struct cert_module *modules;
	struct cert_thread *threads;
	struct cert_object *objects;
	struct cert_range *shared; /* bytes whose accesses are events */
	struct cert_range *sites;  /* instructions that access such bytes; size 0 */
	struct cert_event *events;
	struct cert_places places; /* of the events */
	uint32_t *after;
	uint32_t *instead;   /* events after the prefix, of different threads, which may be performed instead of its last one: the
				first events of their threads there. See docs/enforcement.md */
};

struct certificate *certificate_new(void);
void certificate_free(struct certificate *c); /* NULL is ignored */

/* Returns the certificate's copy of a place in the source (`size` bytes, none of them zero). It lives as long as the
   certificate. The same place mostly has the same copy. */
const char *certificate_place(struct certificate *c, const char *place, size_t size);

/* Returns the FNV-1a hash of the bytes. It is used for the values of variables, and for the whole file. */
uint64_t certificate_digest(const char *bytes, size_t size);

/* "T0.1.2" into buf; returns buf. */
char *certificate_path(const struct certificate *c, uint32_t thread, char *buf, size_t size);
/* Writes the name of an object, such as "m", "mutex#3" or "T0.1", to buf and returns buf. `object` is an index. */
char *certificate_object(const struct certificate *c, uint32_t object, char *buf, size_t size);
/* Returns the number of waits of one thread for another that are enforced while n events are certified. It counts waits of these events,
   and waits of later events of the execution that touch the same objects. It does not count joins and the end of the program, which wait
   without a certificate. */
uint32_t certificate_constraints(const struct certificate *c, uint32_t n);

/* Writes the file completely, or leaves it as it was. Returns 0, or -errno; then *why is a static text. */
int certificate_write(const struct certificate *c, const char *path, const char **why);
/* Reads a certificate. Returns NULL on failure; then `message` (size bytes) is one sentence that names the file and says what to do. */
struct certificate *certificate_read(const char *path, char *message, size_t size);
/* Returns whether the file begins like one. */
bool certificate_is_one(const char *path);

#endif
