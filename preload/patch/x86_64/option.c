#include "preload/patch/x86_64/option.h"

#define NANOSECONDS 1000000000 /* in a second */

/* Returns whether the operand of the instruction is [rsp + *distance]. begin: its first two bytes, and the third (ModRM) without the upper two bits, which say
   how long the distance is. after: bytes after the operand. */
static bool on_stack(const uint8_t *code, unsigned length, const uint8_t begin[3], unsigned after, int32_t *distance)
{
	if (length < 4 + after || code[0] != begin[0] || code[1] != begin[1] || (code[2] & 0x3f) != begin[2] || code[3] != 0x24)
		return false;
	unsigned form = code[2] >> 6, bytes = length - 4 - after;
	*distance = 0;
	if (form == 1 && bytes == 1)
		*distance = (int8_t)code[4];
	else if (form == 2 && bytes == 4)
		__builtin_memcpy(distance, code + 4, 4);
	return bytes == (form == 0 ? 0 : form == 1 ? 1 : 4) && form != 3;
}

void option_note(struct option *o, const uint8_t *code, unsigned length)
{
	static const uint8_t store[] = { 0x48, 0xc7, 0x04 }, address[] = { 0x48, 0x8d, 0x34 };
	int32_t number = 1, at;
	if (length < 3)
		return;
	if (length >= 5)
		__builtin_memcpy(&number, code + length - 4, 4);
	if (length == 5 && code[0] == 0xba) { /* mov edx, number */
		o->in_register = number == NANOSECONDS;
	} else if (on_stack(code, length, store, 4, &at) && !number) { /* mov qword [rsp + at], 0 */
		o->zero = true;
		o->zero_at = at;
	} else if (on_stack(code, length, address, 0, &at)) { /* lea rsi, [rsp + at] */
		o->argument = true;
		o->argument_at = at;
	} else if (length == 3 && code[0] == 0x48 && code[1] == 0x89 && code[2] == 0xe6) { /* mov rsi, rsp */
		o->argument = true;
		o->argument_at = 0;
	}
}

bool option_is_none(const struct option *o)
{
	return o->in_register || (o->zero && o->argument && o->zero_at == o->argument_at);
}
