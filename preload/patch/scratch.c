/* The patcher's arrays. Their memory comes from the kernel, never from the program's heap. */
#include <sys/mman.h>

#include "preload/patch/engine.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

bool vec_make(struct vec *v, size_t element, size_t max)
{
	size_t bytes = (element * (max + 1) + 4095) & ~(size_t)4095;
	void *p = sys_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sys_failed((long)p))
		return false;
	*v = (struct vec){ .at = p, .max = max, .bytes = bytes };
	return true;
}

void vec_free(struct vec *v)
{
	if (v->at)
		sys_munmap(v->at, v->bytes);
	*v = (struct vec){ 0 };
}
