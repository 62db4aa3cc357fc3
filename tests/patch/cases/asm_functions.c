/* Functions written by hand (asm_functions.S): with and without unwind information, with several entries, with data among the code. */
#include "case.h"

uint64_t asm_sum(const uint64_t *p, uint64_t n);
uint64_t asm_sum_no_cfi(const uint64_t *p, uint64_t n);
uint64_t asm_second_entry(uint64_t *p);
uint64_t asm_two_entries(uint64_t *p);
uint64_t asm_table(uint64_t *p, uint64_t which);
uint64_t asm_falls(uint64_t *p);
uint64_t asm_after_fall(uint64_t *p);
uint64_t asm_jumps_into(uint64_t *p);
uint64_t asm_overlapping(uint64_t *p, uint64_t skip);
uint64_t asm_skips_return(uint64_t *p);
uint64_t asm_short(uint64_t *p);
uint64_t asm_dense(uint64_t *p, uint64_t which);
uint64_t asm_through_return(uint64_t *p, uint64_t (*f)(uint64_t *));
extern const uint32_t asm_data_in_text[4];
static uint64_t v[16];

static uint64_t back(uint64_t *p) { p[9]++; return p[9]; }

CASE(asm_functions)
{
	for (unsigned i = 0; i < 16; i++)
		v[i] = opaque(i * i + 1);
	result("sum", asm_sum(v, 16));
	result("sum_no_cfi", asm_sum_no_cfi(v, 16));
	result("entries", asm_two_entries(v) * 7 + asm_second_entry(v));
	for (uint64_t i = 0; i < 6; i++)
		result("table", asm_table(v, i));
	for (uint64_t i = 0; i < 8; i++)
		result("dense", asm_dense(v, i));
	result("falls", asm_falls(v) * 3 + asm_after_fall(v));
	result("into", asm_jumps_into(v));
	result("overlapping", asm_overlapping(v, opaque(0)) + asm_overlapping(v, opaque(1)));
	result("skips", asm_skips_return(v));
	result("short", asm_short(v));
	result("through", asm_through_return(v, back));
	result("data", mix_bytes(0, asm_data_in_text, sizeof(asm_data_in_text)));
	result("memory", mix_bytes(0, v, sizeof(v)));
}
