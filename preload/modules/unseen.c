#include "preload/modules/unseen.h"

#include <sys/mman.h>

#include "base/check.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define MOST 128

static struct library {
	uint64_t lo, hi;  /* whole pages */
	uint32_t module;
	bool closed;      /* its code is not executable */
	bool alone;       /* its code ran while the program had one thread */
	bool known;       /* an execution of its code was reported */
} library[MOST];
static unsigned libraries;
static bool closing, any_alone;

/* Makes the code non-executable. Returns false if the kernel refuses; then an execution of the code goes unnoticed. */
static bool close_code(struct library *l)
{
	l->closed = l->closed || !sys_failed(sys_mprotect((void *)l->lo, l->hi - l->lo, PROT_READ));
	return l->closed;
}

static void open_code(struct library *l)
{
	if (!l->closed)
		return;
	long r = sys_mprotect((void *)l->lo, l->hi - l->lo, PROT_READ | PROT_EXEC);
	INVARIANT(!sys_failed(r), "the code of a library cannot be made executable again: error %ld", -r);
	l->closed = false;
}

bool unseen_add(uint32_t module, uint64_t lo, uint64_t hi)
{
	const uint64_t page = 4096;
	unsigned i = 0;
	while (i < libraries && library[i].lo != (lo & -page))
		i++;
	if (i == MOST)
		return false;
	libraries += i == libraries;
	library[i] = (struct library){ .lo = lo & -page, .hi = (hi + page - 1) & -page, .module = module };
	return !closing || close_code(&library[i]);
}

void unseen_close(void (*unwatched)(uint32_t module))
{
	closing = true;
	for (unsigned i = 0; i < libraries; i++)
		if (!library[i].known && !close_code(&library[i]))
			unwatched(library[i].module);
}

bool unseen_fault(uint64_t addr, bool alone, uint32_t *module)
{
	unsigned i = 0;
	while (i < libraries && addr - library[i].lo >= library[i].hi - library[i].lo)
		i++;
	*module = UINT32_MAX;
	if (i == libraries || !library[i].closed)
		return false;
	open_code(&library[i]);
	if (alone) {
		library[i].alone = any_alone = true;
	} else {
		library[i].known = true;
		*module = library[i].module;
	}
	return true;
}

void unseen_again(void (*unwatched)(uint32_t module))
{
	for (unsigned i = 0; i < libraries && any_alone; i++)
		if (library[i].alone) {
			library[i].alone = false;
			if (!close_code(&library[i]))
				unwatched(library[i].module);
		}
	any_alone = false;
}

void unseen_known(uint32_t module)
{
	for (unsigned i = 0; i < libraries; i++)
		if (library[i].module == module) {
			library[i].known = true;
			open_code(&library[i]);
		}
}

void unseen_release(void)
{
	closing = false;
	for (unsigned i = 0; i < libraries; i++)
		open_code(&library[i]);
}
