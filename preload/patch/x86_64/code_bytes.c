/* The few pieces of machine code that the rest of the patcher knows. */
#include <string.h>

#include "preload/patch/engine.h"
#include "preload/patch/x86_64/encode.h"
#include "preload/base/rules.h"

/* Such stubs have unwind information as well, but not those of all linkers. */
bool code_is_stub(const uint8_t *p, uint64_t bytes)
{
	if (p[0] == 0xff && p[1] == 0x35)
		return true;
	if (bytes <= 8)
		return false;
	if (!memcmp(p, "\xf3\x0f\x1e\xfa", 4))
		p += 4;
	if (p[0] == 0xf2)
		p++;
	return p[0] == 0xff && p[1] == 0x25;
}

bool code_is_breakpoint(uint64_t pc)
{
	return *(const uint8_t *)pc == INT3;
}

void code_fill(void *at, uint64_t bytes)
{
	memset(at, INT3, bytes);
}
