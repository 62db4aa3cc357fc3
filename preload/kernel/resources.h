/*
 * Resources: what threads share besides memory. The working directory, an entry of a directory, the contents of a file, the position in an
 * open file, the table of descriptors.
 *
 * A call of libc or of the kernel uses some resources, as effects.def describes, and each in one of three ways. Two uses of one resource by
 * different threads conflict unless both only read it, or both only add to it. (To add is to change it in a way that no call notices until a
 * thread reads it: a write to a log file, a new name in a directory. So two adds that nothing orders conflict if a thread reads the resource
 * later.)
 *
 * It is the same as with memory (shadow.h). A resource becomes visible when some execution makes two conflicting uses that nothing orders, and
 * from the next search on, calls that use it are events. To the search a resource is one byte of a page of simul's memory, and a call is one
 * access of the bytes from the first to the last visible resource that it uses. So depend.c decides, as it does for memory.
 *
 * Resources without a number of their own (files) are found by a hash of their name. If two share a byte, there are more executions than
 * necessary. Names are texts, not inode numbers: these differ from execution to execution.
 *
 * All functions are called inside simul, except where it says otherwise. They do nothing before the first thread and in native children.
 */
#ifndef SIMUL_RESOURCES_H
#define SIMUL_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

struct op;

enum resource_use { RESOURCE_UNUSED, RESOURCE_READ, RESOURCE_ADD, RESOURCE_CHANGE };

/* Resources of the process as a whole. */
enum resource {
#define RESOURCE(id, name) RESOURCE_##id,
#include "preload/kernel/resources.def"
	RESOURCES_OF_PROCESS,
};

/* Resources by name: what is hashed, and where its bytes lie in the page. */
enum resource_space {
	SPACE_SETTINGS,
	SPACE_ENTRY,
	SPACE_CONTENTS,
	SPACE_ATTRIBUTES,
	SPACE_POSITION,
	RESOURCE_SPACES,
};

/* The resources that one call uses. */
#define RESOURCES_OF_CALL 40u
struct resources {
	const void *pc; /* return address of the call */
	uint32_t n;
	uint8_t stage; /* of the uses that are added next */
	bool all; /* there were too many: it uses everything */
	struct resource_used {
		uint16_t at; /* byte of the page */
		uint8_t use; /* enum resource_use */
		uint8_t stage;
	} used[RESOURCES_OF_CALL];
};

/* Maps the page, and names the resources of the process. Called once, in the constructor. */
void resources_init(void);

/* Returns the byte of the resource of this space with this hash. */
unsigned resource_named(enum resource_space space, uint64_t hash);
/* Adds a use of a resource. `name` is its name in reports, of which at most 40 bytes are kept; NULL: it needs none. */
void resources_add(struct resources *r, unsigned at, enum resource_use use, const char *name);
/* Which resources are added next depends on those added before: what is behind a path depends on its entries. */
void resources_stage(struct resources *r);

/* Settings that some calls set, some ask for, and some depend on. To set one adds to it: such a call returns the same,
   whatever the settings were before. */
enum settings_of {
#define SETTINGS(id, name) SETTINGS_OF_##id,
#include "preload/kernel/settings.def"
};
/* Adds a use of these settings of the object with this key. */
void resources_settings(struct resources *r, enum settings_of of, uint64_t key, enum resource_use use);
bool resource_settings_visible(enum settings_of of, uint64_t key);

/* Call it once for each call, and make the call right after. If some of the resources are visible, this is an event: other threads run before
   it, and none runs between it and the call. */
void resources_perform(const struct resources *r);

/*
 * The same for a call whose resources depend on the state of others: a path may lead to one file or to another. `find` adds all of them to *r.
 * What an event uses must not depend on events of other threads. So it also uses what was found behind the same resources in other executions,
 * and the search begins again when something else is found.
 */
void resources_perform_found(void (*find)(struct resources *r, void *arg), void *arg, const void *pc);

/* Returns whether uses of the resource at this byte are events. */
bool resource_is_visible(unsigned at);

/* For a call that is an event of another kind. resources_note: records the uses of resources that are not visible. resource_attach: if the resource is
   visible, the event also changes it, as its second object. Returns whether it is. */
void resources_note(const struct resources *r);
bool resource_attach(struct op *op, unsigned at);

/* Returns the byte of the disposition of a signal. */
unsigned resource_disposition(int sig);

/* ---- what processes inherit ---- */

/*
 * A process that the program starts inherits the working directory, the mask for new files, limits, descriptors and more. So a start reads all that,
 * and a call that changes a part of it adds to one more resource: "what thread t has changed that processes inherit". The changes of two threads
 * do not conflict there. The start is one event, on the table of children and on these resources.
 */

/* Adds that the running thread changes what processes inherit. forks: only children of fork inherit it (descriptors that exec closes). */
void resources_inherited(struct resources *r, bool forks);
/* Returns the byte to which resources_inherited adds. */
unsigned resource_inherited(bool forks);
/* Returns whether a call with that use, by the running thread, is an event. */
bool resources_inherited_visible(bool forks);
/* Call it right before ctl_perform of the event that starts a process. all: it also inherits, or uses, descriptors that exec closes. */
void resources_started(struct op *op, bool all);

/* ---- numbers of descriptors ---- */

/*
 * Calls that open and close descriptors change the table of descriptors, and calls that use one read it. But that costs nothing as long as each
 * descriptor is used after it was opened, and closed after it was used: then only the numbers depend on the order. The table becomes visible
 * when a use and a close of one number are not ordered.
 *
 * Until then, a number that another thread has closed is not given out before something orders the close: the other order of the two calls is as
 * possible, and in that one the number is in use. So threads that open and close files of their own do not depend on each other.
 */
void number_used(int fd);
/* Adds that a call looks the number up; RESOURCE_CHANGE: it changes the open file in a way that calls look at when they
   begin (O_NONBLOCK). Adds nothing as long as the table is not visible: then it is noted only. */
void resources_number(struct resources *r, int fd, enum resource_use use);
void number_closed(int fd);
/* The number is new. */
void number_opened(int fd);
/* Returns whether the kernel has given this number to the running thread although it may be in use: another thread has closed it, and nothing
   orders that. */
bool number_may_be_in_use(int fd);
/* Returns the lowest number from `least` on for which number_may_be_in_use is false. If that holds for none,
   returns a number that is too large. */
int number_not_in_use(int least);

#endif
