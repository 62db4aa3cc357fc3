/*
 * Reads unwind information (.eh_frame): the bytes of a function, whether rbp is its frame pointer, and its table of landing pads. See DWARF
 * 5 section 6.4, and the Linux Standard Base on .eh_frame.
 */
#include <string.h>

#include "preload/patch/engine.h"
#include "preload/base/rules.h"

uint64_t cfi_uleb(const uint8_t **p)
{
	uint64_t v = 0;
	for (unsigned shift = 0;; shift += 7) {
		uint8_t b = *(*p)++;
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
}

int64_t cfi_sleb(const uint8_t **p)
{
	uint64_t v = 0;
	for (unsigned shift = 0;;) {
		uint8_t b = *(*p)++;
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
		if (!(b & 0x80)) {
			if (b & 0x40 && shift < 64)
				v |= ~0ull << shift;
			return (int64_t)v;
		}
	}
}

uint64_t cfi_pointer(const uint8_t **p, uint8_t enc, uint64_t datarel)
{
	uint64_t at = (uint64_t)*p, v = 0;
	uint16_t u2;
	uint32_t u4;
	if (enc == 0xff)
		return 0;
	switch (enc & 0xf) {
	case 0x1: v = cfi_uleb(p); break;
	case 0x9: v = (uint64_t)cfi_sleb(p); break;
	case 0x2: memcpy(&u2, *p, 2); v = u2; *p += 2; break;
	case 0xa: memcpy(&u2, *p, 2); v = (uint64_t)(int16_t)u2; *p += 2; break;
	case 0x3: memcpy(&u4, *p, 4); v = u4; *p += 4; break;
	case 0xb: memcpy(&u4, *p, 4); v = (uint64_t)(int32_t)u4; *p += 4; break;
	default: memcpy(&v, *p, 8); *p += 8; break;
	}
	if (v == 0)
		return 0;
	if ((enc & 0x70) == 0x10)
		v += at;
	else if ((enc & 0x70) == 0x30)
		v += datarel;
	if (enc & 0x80)
		memcpy(&v, (const void *)v, 8);
	return v;
}

static bool read_cie(const uint8_t *cie, struct cfi_cie *c)
{
	uint32_t length, id;
	memcpy(&length, cie, 4);
	if (length == 0xffffffff || length == 0)
		return false;
	memcpy(&id, cie + 4, 4);
	if (id)
		return false;
	*c = (struct cfi_cie){ .at = cie, .end = cie + 4 + length, .lsda_enc = 0xff };
	const uint8_t *p = cie + 8;
	uint8_t version = *p++;
	const char *aug = (const char *)p;
	p += strlen(aug) + 1;
	cfi_uleb(&p);
	cfi_sleb(&p);
	if (version == 1)
		p++;
	else
		cfi_uleb(&p);
	if (*aug == 'z') {
		c->augmented = true;
		uint64_t n = cfi_uleb(&p);
		const uint8_t *next = p + n;
		for (aug++; *aug; aug++) {
			if (*aug == 'R')
				c->fde_enc = *p++;
			else if (*aug == 'L')
				c->lsda_enc = *p++;
			else if (*aug == 'S')
				c->signal = true;
			else if (*aug == 'P') {
				uint8_t enc = *p++;
				cfi_pointer(&p, enc & 0x7f, 0);
			} else if (*aug != 'B')
				break;
		}
		p = next;
	} else if (*aug) {
		return false;
	}
	c->insns = p;
	return true;
}

/* Reads the rules for the canonical frame address: sets out->frame and out->part. */
static void scan(const uint8_t *p, const uint8_t *end, bool initial, struct cfi_fde *out)
{
	bool start = true;
	while (p < end) {
		uint8_t op = *p++;
		uint64_t reg;
		switch (op & 0xc0) {
		case 0x40: start = false; continue;
		case 0x80: cfi_uleb(&p); continue;
		case 0xc0: continue;
		}
		switch (op) {
		case 0x01: p += 8; start = false; break;
		case 0x02: p += 1; start = false; break;
		case 0x03: p += 2; start = false; break;
		case 0x04: p += 4; start = false; break;
		case 0x05: case 0x09: case 0x11: case 0x14: case 0x15: case 0x2f:
			cfi_uleb(&p);
			cfi_uleb(&p);
			break;
		case 0x06: case 0x07: case 0x08: case 0x2e:
			cfi_uleb(&p);
			break;
		case 0x0c: case 0x12: case 0x0d: /* def_cfa, def_cfa_sf, def_cfa_register */
			reg = cfi_uleb(&p);
			out->frame |= reg == 6;
			out->part |= start && !initial;
			if (op != 0x0d)
				cfi_uleb(&p);
			break;
		case 0x0e: case 0x13: /* def_cfa_offset */
			cfi_uleb(&p);
			out->part |= start && !initial;
			break;
		case 0x0f: { /* def_cfa_expression */
			uint64_t n = cfi_uleb(&p);
			out->frame |= n && *p == 0x76; /* DW_OP_breg6: the frame of a function that aligns its stack */
			out->part |= start && !initial;
			p += n;
			break;
		}
		case 0x10: case 0x16: {
			cfi_uleb(&p);
			uint64_t n = cfi_uleb(&p);
			p += n;
			break;
		}
		}
	}
}

bool cfi_read(const uint8_t *fde, struct cfi_cie *last, struct cfi_fde *out)
{
	uint32_t length, back;
	memcpy(&length, fde, 4);
	memcpy(&back, fde + 4, 4);
	if (length == 0xffffffff || length == 0 || back == 0)
		return false;
	const uint8_t *cie = fde + 4 - back, *p = fde + 8, *end = fde + 4 + length;
	if (last->at != cie && !read_cie(cie, last))
		return false;
	*out = (struct cfi_fde){ .signal = last->signal };
	out->lo = cfi_pointer(&p, last->fde_enc, 0);
	out->hi = out->lo + cfi_pointer(&p, last->fde_enc & 0xf, 0);
	if (last->augmented) {
		uint64_t n = cfi_uleb(&p);
		const uint8_t *next = p + n;
		if (n && last->lsda_enc != 0xff)
			out->lsda = cfi_pointer(&p, last->lsda_enc, 0);
		p = next;
	}
	scan(last->insns, last->end, true, out);
	scan(p, end, false, out);
	return out->lo <= out->hi;
}
