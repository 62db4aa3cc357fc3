#include "preload/base/aside.h"

#include <sys/mman.h>

#include "preload/base/state.h"
#include "preload/base/guard.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define ASIDE_BYTES (UINT64_C(1) << 20) /* a page takes memory at its first use; the size is ample because exit handlers may run here */

uint64_t aside_lo SEALED = 0, aside_hi SEALED = 0, aside_size SEALED = 0;

void aside_init(void)
{
	void *p = sys_mmap(NULL, ASIDE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sys_failed((long)p))
		ctl_refuse("no room for a stack of simul's own in the program's address space (check the limit on address space: ulimit -v)");
	aside_lo = (uintptr_t)p;
	aside_size = ASIDE_BYTES;
	aside_hi = aside_lo + aside_size;
	guard_add(p, ASIDE_BYTES);
}
