/* Instructions that compilers seldom write, with operands in memory; flags that live across accesses. */
#include "case.h"

_Alignas(64) __attribute__((visibility("hidden"))) uint64_t asm_cells[64];
#define m asm_cells
static _Alignas(64) unsigned char bytes[256], other[256];

static void reset(void)
{
	for (unsigned i = 0; i < 64; i++)
		m[i] = i * UINT64_C(0x123456789abcdef1) + 5;
	for (unsigned i = 0; i < 256; i++)
		bytes[i] = (unsigned char)(i * 7 + 3), other[i] = (unsigned char)(i * 7 + 3);
	BARRIER();
}
static void show(const char *what, uint64_t extra)
{
	BARRIER();
	uint64_t h = mix_bytes(extra, m, sizeof(m));
	h = mix_bytes(h, bytes, sizeof(bytes));
	result(what, mix_bytes(h, other, sizeof(other)));
	reset();
}

/* the lock prefix jumped over, as libraries did on machines with one processor */
static NOINLINE void lock_skipped(int single)
{
	__asm__ volatile("cmpl $0, %1\n\tje 1f\n\t.byte 0xeb, 0x01\n1:\tlock; addq $5, %0" : "+m"(m[3]) : "r"(single) : "cc", "memory");
	__asm__ volatile("testl %1, %1\n\tjne 2f\n\tlock\n2:\torq $9, %0" : "+m"(m[4]) : "r"(single) : "cc", "memory");
}
static NOINLINE uint64_t locked(void)
{
	uint64_t r = 1, a;
	unsigned char c;
	__asm__ volatile("lock xaddq %0, %1" : "+r"(r), "+m"(m[1])::"cc");
	__asm__ volatile("xchgq %0, %1" : "+r"(r), "+m"(m[2]));
	__asm__ volatile("lock btsq $7, %1; setc %0" : "=q"(c), "+m"(m[3])::"cc"); r += c;
	__asm__ volatile("lock btrq $8, %1; setc %0" : "=q"(c), "+m"(m[3])::"cc"); r += c;
	__asm__ volatile("lock btcq $9, %1; setc %0" : "=q"(c), "+m"(m[3])::"cc"); r += c;
	__asm__ volatile("lock negq %1; sets %0" : "=q"(c), "+m"(m[4])::"cc"); r += c;
	__asm__ volatile("lock notq %0; lock incl %1; lock decb %2; lock adcq $3, %3" : "+m"(m[5]), "+m"(m[6]), "+m"(m[7]), "+m"(m[8])::"cc");
	__asm__ volatile("lock sbbw $3, %0; lock subb $9, %1; lock xorq %2, %0; lock andq %2, %1" : "+m"(m[9]), "+m"(m[10]) : "r"(r) : "cc");
	a = m[11];
	__asm__ volatile("lock cmpxchgq %2, %1; sete %3" : "+a"(a), "+m"(m[11]), "+r"(r), "=q"(c)::"cc"); r += c;
	a = 77;
	__asm__ volatile("lock cmpxchgq %2, %1; sete %3" : "+a"(a), "+m"(m[11]), "+r"(r), "=q"(c)::"cc"); r += c + a;
	a = m[12];
	__asm__ volatile("cmpxchgl %k2, %1; sete %3" : "+a"(a), "+m"(m[12]), "+r"(r), "=q"(c)::"cc"); r += c;
	__asm__ volatile("movl (%1), %%eax; movl 4(%1), %%edx; movl $1, %%ebx; movl $2, %%ecx; lock cmpxchg8b (%1); sete %0"
		: "=q"(c) : "r"(&m[13]) : "rax", "rbx", "rcx", "rdx", "cc", "memory"); r += c;
	__asm__ volatile("xor %%eax, %%eax; xor %%edx, %%edx; cmpxchg8b (%2); sete %0; add %%rax, %1"
		: "=q"(c), "+r"(r) : "r"(&m[14]) : "rax", "rdx", "cc", "memory"); r += c;
	__asm__ volatile("lock; addl $0, (%%rsp); mfence; lfence; sfence; pause" ::: "cc", "memory");
	return r;
}
/* bit strings: the operand lies anywhere around the base */
static NOINLINE uint64_t bit_strings(int64_t n)
{
	unsigned char c;
	uint64_t r = 0;
	__asm__ volatile("btq %1, %2; setc %0" : "=q"(c) : "r"(n), "m"(m[20]) : "cc", "memory"); r = r * 2 + c;
	__asm__ volatile("btsq %2, %1; setc %0" : "=q"(c), "+m"(m[20]) : "r"(-n) : "cc", "memory"); r = r * 2 + c;
	__asm__ volatile("btrl %k2, %1; setc %0" : "=q"(c), "+m"(m[20]) : "r"(n / 2) : "cc", "memory"); r = r * 2 + c;
	__asm__ volatile("btcw %w2, %1; setc %0" : "=q"(c), "+m"(m[20]) : "r"(n / 3) : "cc", "memory"); r = r * 2 + c;
	__asm__ volatile("lock btsq %2, %1; setc %0" : "=q"(c), "+m"(m[20]) : "r"(n + 70) : "cc", "memory"); r = r * 2 + c;
	return r;
}
static NOINLINE uint64_t rmw(uint64_t x)
{
	uint64_t r = x;
	__asm__ volatile("stc; adcq $5, %0; adcq %2, %1; sbbq $1, %0; incq %1; adcl $0, %0"
		: "+m"(m[1]), "+m"(m[2]) : "r"(r) : "cc");
	__asm__ volatile("rolq %%cl, %0; rorl $3, %1; rclq $1, %0; rcrq $1, %1; shlw $1, %0; sarb $2, %1; shrq %%cl, %0"
		: "+m"(m[3]), "+m"(m[4]) : "c"(x) : "cc");
	__asm__ volatile("shldq $5, %2, %0; shrdq %%cl, %2, %1" : "+m"(m[5]), "+m"(m[6]) : "r"(r), "c"(x) : "cc");
	__asm__ volatile("addq $1, %0; seto %1; setc 1+%1; setz 2+%1; sets 3+%1; setp 4+%1" : "+m"(m[7]), "+m"(m[8])::"cc");
	__asm__ volatile("cmpq %2, %1; cmovaq %1, %0; cmovbq %3, %0" : "+r"(r) : "m"(m[9]), "r"(x), "m"(m[10]) : "cc");
	__asm__ volatile("xaddl %k0, %1; xaddb %b0, %2; xorb $0x55, %1; orw $1, %2; andb %b0, %1" : "+q"(r), "+m"(m[11]), "+m"(m[12])::"cc");
	__asm__ volatile("negl %0; notb %1; decw %0; incb %1; mulq %2; addq %%rax, %3" : "+m"(m[13]), "+m"(m[14]) : "m"(m[15]), "r"(r) : "rax", "rdx", "cc");
	__asm__ volatile("xorl %%edx, %%edx; movq %1, %%rax; divq %2; movq %%rax, %0; imulq $77, %2, %%rax; movq %%rax, %1; cqto; idivl %2"
		: "=m"(m[16]), "+m"(m[17]) : "m"(m[18]) : "rax", "rdx", "cc");
	__asm__ volatile("movl $0x1234, %%eax; movl $0x5678, %%edx; movl %%eax, %k0; movb %%ah, %1; addb %%dh, %1; movb %1, %%ah; addb %%ah, %1" : "=&c"(r), "+m"(m[19])::"rax", "rdx", "cc");
	return x;
}
/* accesses through the stack pointer whose meaning changes while they happen */
static NOINLINE uint64_t stack_forms(uint64_t x)
{
	uint64_t r;
	__asm__ volatile("lea -256(%%rsp), %%rsp; push %1; push (%%rsp); pop 8(%%rsp); push 8(%%rsp); pop (%%rsp); pop %0;"
			 "push %2; pop %3; pushq $-5; pop %%rax; add %%rax, %0; pushw $3; popw %%ax; pushfq; popq %%rax; lea 248(%%rsp), %%rsp; lea 8(%%rsp), %%rsp"
		: "=&r"(r) : "r"(x), "m"(m[1]), "m"(m[2]) : "rax", "cc", "memory");
	__asm__ volatile("lea -256(%%rsp), %%rsp; call 1f; 1: pop %%rax; lea 2f-1b(%%rax), %%rax; push %%rax; ret; int3; 2: lea 256(%%rsp), %%rsp" ::: "rax", "cc", "memory");
	__asm__ volatile("lea -256(%%rsp), %%rsp; lea 3f(%%rip), %%rax; mov %%rax, (%0); jmp *(%0); int3; 3: lea 4f(%%rip), %%rax; push %%rax; jmp *(%%rsp); int3; 4: pop %%rax; lea 256(%%rsp), %%rsp"
		:: "r"(&m[30]) : "rax", "memory");
	m[30] = 0;
	__asm__ volatile("lea -512(%%rsp), %%rsp; enter $64, $0; movq %1, -8(%%rbp); movq -8(%%rbp), %0; leave; lea 512(%%rsp), %%rsp" : "=&r"(r) : "r"(x + r) : "memory");
	__asm__ volatile("mov %%rsp, %%rax; lea -256(%%rsp), %%rsp; xchg %%rax, (%%rsp); xchg %%rax, (%%rsp); mov %%rsp, %%rdx; mov %%rax, %%rsp; lea -64(%%rdx), %%rdx" ::: "rax", "rdx", "memory");
	return r;
}
static NOINLINE uint64_t string_forms(uint64_t n)
{
	uint64_t r = 0, c = n;
	const unsigned char *si = bytes;
	unsigned char *di = other + 3;
	__asm__ volatile("rep movsb" : "+S"(si), "+D"(di), "+c"(c)::"memory"); r += (uint64_t)(si - bytes) + c;
	c = 0;
	__asm__ volatile("rep movsq" : "+S"(si), "+D"(di), "+c"(c)::"memory"); r += (uint64_t)(di - other);
	c = n / 4;
	__asm__ volatile("rep stosl" : "+D"(di), "+c"(c) : "a"(0x01020304) : "memory"); r += (uint64_t)(di - other);
	/* downwards, over each other */
	si = bytes + 99, di = bytes + 102, c = 90;
	__asm__ volatile("std; rep movsb; cld" : "+S"(si), "+D"(di), "+c"(c)::"memory"); r += (uint64_t)(si - bytes) * 3;
	di = other + 201, c = 5;
	__asm__ volatile("std; mov %2, %%rax; rep stosw; stosb; cld" : "+D"(di), "+c"(c) : "m"(m[3]) : "rax", "memory"); r += (uint64_t)(other + 220 - di);
	/* the accesses between are ordinary ones while the direction is down */
	si = bytes + 50, c = 0;
	__asm__ volatile("std; lodsq; addq %%rax, %2; lodsb; incq %2; movb %%al, %3; cld" : "+S"(si), "+r"(c), "+m"(m[4]), "+m"(m[5])::"rax", "cc", "memory"); r += (uint64_t)(si - bytes);
	si = bytes, di = other, c = 200;
	__asm__ volatile("repe cmpsb" : "+S"(si), "+D"(di), "+c"(c)::"cc", "memory"); r = mix(r, c);
	di = bytes, c = 250;
	__asm__ volatile("repne scasb" : "+D"(di), "+c"(c) : "a"(bytes[60]) : "cc", "memory"); r = mix(r, c);
	di = bytes, c = 30;
	__asm__ volatile("repe scasw; scasl; cmpsl" : "+D"(di), "+c"(c), "+S"(si) : "a"(0) : "cc", "memory"); r = mix(r, c + (uint64_t)(di - bytes) + (uint64_t)(si - bytes));
	__asm__ volatile("xlatb" : "+a"(r) : "b"(bytes) : "memory");
	return r;
}
static NOINLINE uint64_t loops(uint64_t n)
{
	uint64_t c = n, r = 0;
	__asm__ volatile("1: addq %2, %1; addq $3, %2; loop 1b; jrcxz 2f; movq $0, %1; 2:" : "+c"(c), "+r"(r), "+m"(m[7])::"cc");
	c = n;
	__asm__ volatile("1: incq %2; testq $7, %2; loopne 1b; addq %0, %1" : "+c"(c), "+r"(r), "+m"(m[8])::"cc");
	c = n;
	__asm__ volatile("1: xorl $1, %2; testl $0, %2; loope 1b; 2: addl $1, %2; jecxz 3f; dec %%ecx; jmp 2b; 3:" : "+c"(c), "+r"(r), "+m"(m[9])::"cc");
	__asm__ volatile("movl $300, %%ecx; jmp 2f; 1: .skip 100, 0x90; addq $2, %1; dec %%ecx; 2: jecxz 3f; jmp 1b; 3:" : "+r"(r), "+m"(m[10])::"rcx", "cc");
	return r + c;
}
static NOINLINE uint64_t odd_forms(void)
{
	static _Alignas(64) unsigned char area[1024];
	uint64_t r = 0, t;
	uint32_t csr, eax = 0, ebx, ecx = 0, edx;
	double x = 2.25;
	float single = 1.5f;
	int64_t quad = 77;
	int16_t cw, i16;
	__asm__ volatile("nopl 0(%0); nopw 0x200(%0,%0,1); prefetcht0 (%0); prefetchnta 64(%0); prefetchw (%0)" ::"r"(UINT64_C(0x10)));
	__asm__ volatile("stmxcsr %0; ldmxcsr %0" : "=m"(csr)); r += csr & 0x6000;
	__asm__ volatile("fnstcw %0; fldcw %0; fldl %2; fadds %3; fstpl %2; fildll %4; fistps %1; fildl %4; fisttpll %4; fnstsw %1"
		: "=m"(cw), "=m"(i16), "+m"(x) : "m"(single), "m"(quad) : "memory"); r += (uint64_t)(cw & 0x300) + (uint64_t)x;
	__asm__ volatile("fldt %1; fld1; faddp; fstpt %1; fbld %0; fbstp %0" : "+m"(*(char(*)[10])(area + 32)), "+m"(*(long double *)(area + 64)));
	__asm__ volatile("fxsave64 (%0); fxrstor64 (%0)" ::"r"(area + 512) : "memory");
	__asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx)); r += eax > 0;
	__asm__ volatile("rdtsc; shl $32, %%rdx; or %%rdx, %0" : "=a"(t)::"rdx", "cc"); r += t != 0;
#ifndef __PIE__
	/* absolute addresses of 64 and of 32 bits */
	__asm__ volatile("movabsq asm_cells+8, %%rax; addq %%rax, %0; movabsb %%al, asm_cells+9; movl asm_cells+16, %%ecx; addl asm_cells+24, %%ecx; add %%rcx, %0; movl $asm_cells, %%edx; movl 8(%%edx), %%eax; addl $3, 16(%%edx); add %%rax, %0"
		: "+r"(r)::"rax", "rcx", "rdx", "cc", "memory");
#endif
	__asm__ volatile("movq %%fs:0, %0; cmpq %%fs:16, %0; sete %b1" : "=&r"(t), "+q"(r)::"cc", "memory");
	__asm__ volatile("leaq 8(,%1,8), %0; leal (%k1,%k1), %k1; movq %0, %1; .byte 0x67; leaq 3(%1), %0; negq %1" : "=&r"(t), "+r"(r));
	__asm__ volatile("bsfq %1, %0; bsrl %1, %%eax; addq %%rax, %0; bswapq %0; movzbl %1, %%eax; movsbq %1, %%rdx; movswl %1, %%ecx; movslq %1, %%rsi; addq %%rsi, %0; add %%rcx, %0; add %%rdx, %0"
		: "=&r"(t) : "m"(m[5]) : "rax", "rcx", "rdx", "rsi", "cc"); r += t;
	if (__builtin_cpu_supports("popcnt")) {
		__asm__ volatile("popcntq %1, %0" : "=r"(t) : "m"(m[6]) : "cc"); r += t;
	}
	if (__builtin_cpu_supports("sse4.2")) {
		__asm__ volatile("crc32q %1, %0; crc32b %2, %0; pinsrq $1, %1, %%xmm7; pextrb $3, %%xmm7, %3; pcmpistri $0x0c, %4, %%xmm7; add %%rcx, %0"
			: "+r"(t) : "m"(m[7]), "m"(m[8]), "m"(area[5]), "m"(*(char(*)[16])other) : "rcx", "xmm7", "cc", "memory"); r += t;
	}
	__asm__ volatile("movntiq %1, %0; movnti %k1, 8+%0; sfence; clflush %0" : "=m"(m[40]) : "r"(r) : "memory");
	__asm__ volatile("movdqu %1, %%xmm1; paddq 16+%1, %%xmm1; movhps %%xmm1, %0; movlps %%xmm1, 8+%0; movss %%xmm1, 16+%0; movd %%xmm1, 20+%0; cvtsi2sdq %1, %%xmm2; movsd %%xmm2, 24+%0; cvttsd2si 24+%0, %%rax; add %%rax, %2"
		: "=m"(m[44]), "+m"(m[22]), "+r"(r)::"xmm1", "xmm2", "rax", "cc", "memory");
	return r + area[0] - area[0];
}
/* flags and all registers across accesses (asm_functions.S) */
uint64_t asm_registers(uint64_t *p);

CASE(asm_inline)
{
	reset();
	lock_skipped(0); lock_skipped(1); show("lock_skipped", 0);
	show("locked", locked());
	for (int64_t n = -1000; n < 1000; n += 317)
		show("bit_strings", bit_strings(n));
	show("rmw", rmw(opaque(13)));
	show("stack", stack_forms(opaque(17)));
	show("string", string_forms(opaque(100)));
	show("loops", loops(opaque(20)));
	show("odd", odd_forms());
	show("registers", asm_registers(m));
}
