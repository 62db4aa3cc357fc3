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

bool code_names(const struct engine *e, const struct insn *in, uint64_t *place)
{
	int32_t distance;

	if (!(in->flags & I_RIP))
		return false;
	memcpy(&distance, e->image.text + in->off + in->disp_off, sizeof distance);
	*place = e->image.lo + in->off + in->len + (uint64_t)(int64_t)distance;
	return true;
}

/* The stub is `endbr64; bnd jmp *place`, of which the first two may be missing. */
bool code_stub_entry(const struct engine *e, int64_t off, uint64_t *place)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	uint64_t at = (uint64_t)off, bytes = e->image.hi - e->image.lo;
	int32_t distance;

	if (at > bytes || bytes - at < 16)
		return false;
	const uint8_t *p = e->image.text + at;
	p += memcmp(p, endbr64, sizeof endbr64) ? 0 : sizeof endbr64;
	p += *p == 0xf2;
	if (p[0] != 0xff || p[1] != 0x25)
		return false;
	memcpy(&distance, p + 2, sizeof distance);
	*place = e->image.lo + (uint64_t)(p + 6 - e->image.text) + (uint64_t)(int64_t)distance;
	return true;
}

bool code_is_breakpoint(uint64_t pc)
{
	return *(const uint8_t *)pc == INT3;
}

void code_fill(void *at, uint64_t bytes)
{
	memset(at, INT3, bytes);
}
