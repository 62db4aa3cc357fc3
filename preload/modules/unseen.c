#include "preload/modules/unseen.h"

#include <sys/mman.h>

#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define MOST 128

static struct library {
	uint64_t lo, hi;  /* whole pages */
	uint32_t module;
	bool closed;      /* its code is not executable */
	bool alone;       /* it was executed by the only thread */
	bool known;       /* it was executed, and that was reported */
} library[MOST];
static unsigned libraries;
static bool closing, any_alone;

static void set_closed(struct library *l, bool closed)
{
	if (l->closed != closed && !sys_failed(sys_mprotect((void *)l->lo, l->hi - l->lo, closed ? PROT_READ : PROT_READ | PROT_EXEC)))
		l->closed = closed;
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
	if (closing)
		set_closed(&library[i], true);
	return true;
}

void unseen_close(void)
{
	closing = true;
	for (unsigned i = 0; i < libraries; i++)
		if (!library[i].known)
			set_closed(&library[i], true);
}

bool unseen_fault(uint64_t addr, bool alone, uint32_t *module)
{
	unsigned i = 0;
	while (i < libraries && addr - library[i].lo >= library[i].hi - library[i].lo)
		i++;
	*module = UINT32_MAX;
	if (i == libraries || !library[i].closed)
		return false;
	set_closed(&library[i], false);
	if (alone) {
		library[i].alone = any_alone = true;
	} else {
		library[i].known = true;
		*module = library[i].module;
	}
	return !library[i].closed;
}

void unseen_again(void)
{
	for (unsigned i = 0; i < libraries && any_alone; i++)
		if (library[i].alone) {
			library[i].alone = false;
			set_closed(&library[i], true);
		}
	any_alone = false;
}

void unseen_known(uint32_t module)
{
	for (unsigned i = 0; i < libraries; i++)
		if (library[i].module == module) {
			library[i].known = true;
			set_closed(&library[i], false);
		}
}

void unseen_release(void)
{
	closing = false;
	for (unsigned i = 0; i < libraries; i++)
		set_closed(&library[i], false);
}
