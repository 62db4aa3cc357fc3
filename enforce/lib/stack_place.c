#include "enforce/lib/stack_place.h"

#include <sys/mman.h>

#include "enforce/lib/gate.h"

#define PAGE UINT64_C(4096)

static uint64_t pages(uint64_t bytes)
{
	return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* Maps the stack with its guard below. Fails if something else is mapped there. */
static bool map_stack(const struct plan_thread *t)
{
	uint64_t below = pages(t->guard), lo = t->at - below;
	void *p;

	if (below > t->at)
		return false;
	p = mmap((void *)lo, below + pages(t->bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED_NOREPLACE, -1, 0);
	if (p == MAP_FAILED)
		return false;
	if (p == (void *)lo && !mprotect((void *)t->at, pages(t->bytes), PROT_READ | PROT_WRITE))
		return true;
	munmap(p, below + pages(t->bytes));
	return false;
}

static bool chose_its_own(const pthread_attr_t *attr)
{
	void *at = NULL;
	size_t size; /* 0 where the size is the default */

	return attr && !pthread_attr_getstack(attr, &at, &size) && at && (uintptr_t)at + size != 0;
}

bool stack_place(pthread_attr_t *placed, const pthread_attr_t *attr, uint32_t thread)
{
	const struct plan_thread *t;

	if (thread == PLAN_NONE || chose_its_own(attr))
		return false;
	t = (const struct plan_thread *)plan_at(gate_plan->threads) + thread;
	if (!t->bytes || !map_stack(t))
		return false;
	if (attr)
		*placed = *attr; /* a shallow copy: pthread_create only reads what the attributes point to */
	else if (pthread_getattr_default_np(placed))
		goto unmap;
	if (!pthread_attr_setstack(placed, (void *)t->at, t->bytes))
		return true;
	stack_place_done(placed, attr);
unmap:
	munmap((void *)(t->at - pages(t->guard)), pages(t->guard) + pages(t->bytes));
	return false;
}

void stack_place_done(pthread_attr_t *placed, const pthread_attr_t *attr)
{
	if (!attr)
		pthread_attr_destroy(placed);
}

void stack_place_guard(pthread_attr_t *attr)
{
	void *at;
	size_t size;

	if (!gate_plan || pthread_attr_getstack(attr, &at, &size))
		return;
	for (uint32_t i = 0; i < gate_plan->n_threads; i++) {
		const struct plan_thread *t = (const struct plan_thread *)plan_at(gate_plan->threads) + i;

		if (t->bytes && t->at == (uint64_t)at)
			pthread_attr_setguardsize(attr, t->guard);
	}
}
