/* Accesses that cross cache lines, pages and mappings, and that end exactly at a page nobody may touch. */
#include "case.h"

#include <sys/mman.h>

struct __attribute__((packed, aligned(1))) u2 { uint16_t v; };
struct __attribute__((packed, aligned(1))) u4 { uint32_t v; };
struct __attribute__((packed, aligned(1))) u8 { uint64_t v; };
struct __attribute__((packed, aligned(1))) u16 { unsigned __int128 v; };

static NOINLINE uint64_t touch(char *p, uint64_t x)
{
	((struct u2 *)p)->v += (uint16_t)x;
	((struct u4 *)p)->v ^= (uint32_t)x;
	((struct u8 *)p)->v -= x;
	uint64_t old = __atomic_fetch_add((uint64_t *)((uintptr_t)p & ~7ul), x, __ATOMIC_RELAXED);
	return ((struct u8 *)p)->v + old;
}
static NOINLINE uint64_t last_bytes(char *end)
{
	uint64_t h = 0;
	end[-1] = 3;
	((struct u2 *)(end - 2))->v++;
	((struct u4 *)(end - 4))->v += 7;
	((struct u8 *)(end - 8))->v *= 11;
	((struct u16 *)(end - 16))->v += 5;
	memcpy(end - 33, "the last bytes of a page, no more", 33);
	h = mix_bytes(h, end - 40, 40);
	return mix(h, ((struct u8 *)(end - 8))->v);
}

CASE(unaligned)
{
	char *p = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t h = 0;
	mprotect(p + 3 * 4096, 4096, PROT_NONE);
	for (int i = -20; i < 20; i++)
		h = mix(h, touch(p + 4096 + i, (uint64_t)(i + 100)));
	for (int i = -70; i < 5; i++)
		h = mix(h, touch(p + 2 * 4096 + i, (uint64_t)(i + 100)));
	result("touch", h);
	result("last", last_bytes(p + 3 * 4096));
	result("pages", mix_bytes(0, p, 3 * 4096));
	munmap(p, 4 * 4096);
}
