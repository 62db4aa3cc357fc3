/* Instructions of x86-64 that C cannot express. No function here calls another function, uses the stack or changes vector registers, unless
   its comment says so. */
#ifndef SIMUL_X86_64_PROCESSOR_H
#define SIMUL_X86_64_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The compiler moves no access to memory across this. It is no instruction. */
static inline void compiler_barrier(void)
{
	__asm__ volatile("" ::: "memory");
}

/* A hint for the processor that the thread waits in a loop. */
static inline void processor_relax(void)
{
	__builtin_ia32_pause();
}

/* Returns the processor's time stamp counter, to compare durations without a system call. */
static inline uint64_t processor_ticks(void)
{
	return __builtin_ia32_rdtsc();
}

/* System call `n` with six arguments. Returns what the kernel returned: a result >= 0, or -errno. */
static inline long processor_system_call(long n, long a, long b, long c, long d, long e, long f)
{
	long ret;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

/* ---- what the thread pointer leads to ---- */

/* Returns the thread pointer. It is also the thread's pthread_t. */
static inline uint64_t processor_thread_pointer(void)
{
	uint64_t fs;
	__asm__("mov %%fs:0, %0" : "=r"(fs));
	return fs;
}

/* Sets the thread pointer by a system call. Returns what the kernel returned. */
static inline long processor_set_thread_pointer(uint64_t value)
{
	return processor_system_call(158 /* arch_prctl */, 0x1002 /* ARCH_SET_FS */, (long)value, 0, 0, 0, 0);
}

/* Returns the thread pointer by a system call, without an access to the memory that it points to. */
static inline uint64_t processor_kernel_thread_pointer(void)
{
	uint64_t value = 0;
	processor_system_call(158 /* arch_prctl */, 0x1003 /* ARCH_GET_FS */, (long)&value, 0, 0, 0, 0);
	return value;
}

/* Sets the guard value of the stack protector, for the calling thread and for threads that it creates. */
static inline void processor_set_stack_guard(uint64_t value)
{
	__asm__ volatile("mov %0, %%fs:0x28" : : "r"(value));
}

/* Returns the value by which glibc scrambles pointers in this process. */
static inline uint64_t processor_pointer_guard(void)
{
	uint64_t guard;
	__asm__("mov %%fs:0x30, %0" : "=r"(guard));
	return guard;
}

/* ---- vector registers ---- */

struct processor_cpuid {
	uint32_t a, b, c, d;
};

static inline struct processor_cpuid processor_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct processor_cpuid r = { .a = leaf, .c = subleaf };
	__asm__("cpuid" : "+a"(r.a), "=b"(r.b), "+c"(r.c), "=d"(r.d));
	return r;
}

/* Returns which parts of a thread's state the system saves, as bits of XCR0; 0: the processor cannot tell. */
static inline uint32_t processor_saved_state(void)
{
	uint32_t a, d;
	if (!(processor_cpuid(1, 0).c & 1u << 27))
		return 0;
	__asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
	return a;
}

/* Returns whether the processor has YMM registers that the system saves. */
static inline bool processor_has_avx(void)
{
	return (processor_cpuid(1, 0).c & 1u << 28) && (processor_saved_state() & 6) == 6;
}

/* Returns whether it has the instructions of AVX2, if it has YMM registers. */
static inline bool processor_has_avx2(void)
{
	return processor_cpuid(7, 0).b & 1u << 5;
}

#define PROCESSOR_VECTOR_STATE 0xe7u    /* x87, SSE, AVX and AVX-512: the registers that compilers use */
#define PROCESSOR_VECTOR_BYTES 4096     /* room for them */

struct processor_vectors {
	_Alignas(64) uint8_t state[PROCESSOR_VECTOR_BYTES];
};

/* Saves the vector registers, and puts them back. */
static inline void processor_save_vectors(struct processor_vectors *v)
{
	for (unsigned i = 0; i < 8; i++)
		((uint64_t *)(void *)(v->state + 512))[i] = 0; /* the header must be 0 before the save */
	__asm__ volatile("xsave64 %0" : "+m"(*v) : "a"(PROCESSOR_VECTOR_STATE), "d"(0) : "memory");
}

static inline void processor_restore_vectors(const struct processor_vectors *v)
{
	__asm__ volatile("xrstor64 %0" : : "m"(*v), "a"(PROCESSOR_VECTOR_STATE), "d"(0) : "memory");
}

/* Sets the registers that a call may change to 0, except for those of its result. *avx: the processor has YMM registers. */
static inline void processor_clear_registers(const bool *avx)
{
	__asm__ volatile("xor %%ecx, %%ecx\n\txor %%edx, %%edx\n\txor %%esi, %%esi\n\txor %%edi, %%edi\n\t"
			 "xor %%r8d, %%r8d\n\txor %%r9d, %%r9d\n\txor %%r10d, %%r10d\n\txor %%r11d, %%r11d\n\t"
			 "pxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1\n\tpxor %%xmm2, %%xmm2\n\tpxor %%xmm3, %%xmm3\n\t"
			 "pxor %%xmm4, %%xmm4\n\tpxor %%xmm5, %%xmm5\n\tpxor %%xmm6, %%xmm6\n\tpxor %%xmm7, %%xmm7\n\t"
			 "pxor %%xmm8, %%xmm8\n\tpxor %%xmm9, %%xmm9\n\tpxor %%xmm10, %%xmm10\n\tpxor %%xmm11, %%xmm11\n\t"
			 "pxor %%xmm12, %%xmm12\n\tpxor %%xmm13, %%xmm13\n\tpxor %%xmm14, %%xmm14\n\tpxor %%xmm15, %%xmm15\n\t"
			 "cmpb $0, %0\n\tje 1f\n\tvzeroupper\n1:"
			 : : "m"(*avx) : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "memory");
}

/* ---- memory, where libc's functions must not be called and the compiler must not insert a call of them ---- */

/* Copies n bytes, from the first to the last. */
static inline void processor_copy(void *to, const void *from, uint64_t n)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

/* Copies n bytes, from the last to the first. */
static inline void processor_copy_backwards(void *to, const void *from, uint64_t n)
{
	uint8_t *d = (uint8_t *)to + n - 1;
	const uint8_t *s = (const uint8_t *)from + n - 1;
	__asm__ volatile("std\n\trep movsb\n\tcld" : "+D"(d), "+S"(s), "+c"(n) : : "memory", "cc");
}

static inline void processor_fill(void *to, uint8_t value, uint64_t n)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(value) : "memory");
}

/* Compares 16 bytes with *expected, and if they are equal, replaces them by v, at once. Sets *expected to what they were. Returns whether
   they were equal. All x86-64 processors except the earliest can do it. */
static inline bool processor_compare_exchange16(
	volatile unsigned __int128 *p, unsigned __int128 *expected, unsigned __int128 v)
{
	uint64_t lo = (uint64_t)*expected, hi = (uint64_t)(*expected >> 64);
	bool done;

	__asm__ volatile("lock cmpxchg16b %1\n\tsete %0"
			 : "=q"(done), "+m"(*p), "+a"(lo), "+d"(hi)
			 : "b"((uint64_t)v), "c"((uint64_t)(v >> 64))
			 : "memory", "cc");
	*expected = (unsigned __int128)hi << 64 | lo;
	return done;
}

/* ---- names ---- */

/* Defines `name` as another name of a function of another library. It adds no frame, so the function may return twice. */
#define PROCESSOR_SECOND_NAME(name, other)                                                                             \
	__asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n\tjmp *" #other                      \
		"@GOTPCREL(%rip)\n.size " #name ",.-" #name "\n")

#endif
