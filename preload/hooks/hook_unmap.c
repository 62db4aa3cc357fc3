/*
 * Calls that remove or change mappings. First the hook performs all buffered stores, because a store to removed memory could not be
 * performed later. The kernel does the same: before it removes a mapping it interrupts all processors, which empties their store buffers.
 */
#include <stdarg.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "preload/base/dispatch.h"
#include "preload/base/guard.h"
#include "preload/hooks/directly.h"
#include "preload/kernel/fork_advice.h"
#include "preload/kernel/made_mappings.h"
#include "preload/kernel/older_mappings.h"
#include "preload/kernel/mapped_files.h"
#include "preload/kernel/shared_pages.h"
#include "preload/accesses/mem.h"
#include "preload/base/real.h"
#include "preload/life/rewind.h"
#include "preload/modules/generated.h"

#include "preload/base/rules.h"

static const char why[] = "change what is mapped";

static void unmapping(const void *addr, size_t size, const void *pc)
{
	if ((mapped_any || pages_any) && ctl_enter_unnoticed()) {
		mapped_unmaps(addr, size, pc);
		ctl_leave();
	}
}

int munmap(void *addr, size_t size)
{
	guard_mapping(addr, size, "munmap");
	unmapping(addr, size, __builtin_return_address(0));
	mem_unmaps(addr, size, __builtin_return_address(0));
	bool made = made_has(addr, size), away = false;
	int r = 0;

	if (!made)
		DIRECTLY(away = older_unmap(addr, size));
	if (!away)
		DIRECTLY(r = real_munmap(addr, size));
	if (!r && (made ? !made_remove(addr, size) : !away))
		rewind_taint(why);
	if (!r)
		fork_advice_forget(addr, size);
	return r;
}

static void protecting(void *addr, size_t size, uint32_t rights, const char *call, const void *pc)
{
	guard_mapping(addr, size, call);
	mem_protects(addr, size, rights, pc);
	bool back = made_has(addr, size);
	if (!back && rights)
		DIRECTLY(back = older_protect(addr, size, (int)(rights - 1)));
	if (!back)
		rewind_taint(why);
}

int mprotect(void *addr, size_t size, int prot)
{
	bool by_linker = dispatch_by_linker();
	protecting(addr, size, (uint32_t)prot + 1, "mprotect", __builtin_return_address(0));
	int r = real_mprotect(addr, size, prot);

	if (!r && !by_linker)
		generated_protected(prot);
	return r;
}

int pkey_mprotect(void *addr, size_t size, int prot, int key)
{
	protecting(addr, size, 0, "pkey_mprotect", __builtin_return_address(0));
	int r = real_pkey_mprotect(addr, size, prot, key);

	if (!r)
		generated_protected(prot);
	return r;
}

/* Returns the bytes at the old place that mremap may take away. */
static struct mem_range moved_range(void *addr, size_t size, size_t new_size, int flags)
{
	if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP) || (flags & MREMAP_MAYMOVE && new_size > size))
		return (struct mem_range){ addr, size };
	return (struct mem_range){ (char *)addr + new_size, new_size < size ? size - new_size : 0 };
}

void *mremap(void *addr, size_t size, size_t new_size, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	void *at = flags & MREMAP_FIXED ? va_arg(ap, void *) : NULL;
	va_end(ap);
	guard_mapping(addr, size, "mremap");
	if (at)
		guard_mapping(at, new_size, "mremap");
	struct mem_range changed[2] = { moved_range(addr, size, new_size, flags), { at, at ? new_size : 0 } };

	unmapping(changed[0].addr, changed[0].size, __builtin_return_address(0));
	mem_unmaps_ranges(changed, 2, __builtin_return_address(0));
	rewind_taint(why);
	void *p;

	DIRECTLY(p = real_mremap(addr, size, new_size, flags, at));
	if (p != MAP_FAILED && mapped_shared && ctl_enter_unnoticed()) {
		mapped_moved(addr, size, p, new_size, !size || (flags & MREMAP_DONTUNMAP), __builtin_return_address(0));
		ctl_leave();
	}
	return p;
}

/* ---- shared memory of System V ---- */

void *shmat(int id, const void *addr, int flags)
{
	void *p = real_shmat(id, addr, flags);
	int err = errno;

	rewind_taint(why);
	snapshot_tainted = true;
	if (p != (void *)-1 && ctl_enter_unnoticed()) {
		mapped_attached(p, mapped_size(p), __builtin_return_address(0));
		ctl_leave();
	}
	errno = err;
	return p;
}

int shmdt(const void *addr)
{
	size_t size = 0;

	if (ctl_enter_unnoticed()) {
		size = mapped_size(addr);
		ctl_leave();
	}
	unmapping(addr, size, __builtin_return_address(0));
	if (size)
		mem_unmaps(addr, size, __builtin_return_address(0));
	rewind_taint(why);
	return real_shmdt(addr);
}
