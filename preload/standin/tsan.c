/*
 * Takes the place of the ThreadSanitizer runtime in a program compiled with -fsanitize=thread. The Makefile links it twice, with the
 * SONAMEs libtsan.so.2 (gcc) and libclang_rt.tsan-x86_64.so (clang). cli/ preloads the one that the program needs. So the dynamic linker
 * never looks for the real one, wherever the program's RPATH points.
 *
 * libsimul.so has the functions of the sanitizer itself. This library has the others that the runtime exports and a program may use. It is
 * an ordinary library, so rules.h does not apply.
 */
#include <dlfcn.h>
#include <glob.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/processor.h"

#define NOTHING(name) long name(void); long name(void) { return 0; }

/* ==== <sanitizer/common_interface_defs.h>, <sanitizer/allocator_interface.h>: nothing is set, asked or reported here ==== */
NOTHING(__sanitizer_set_report_path)
NOTHING(__sanitizer_set_report_fd)
NOTHING(__sanitizer_get_report_path)
NOTHING(__sanitizer_sandbox_on_notify)
NOTHING(__sanitizer_report_error_summary)
NOTHING(__sanitizer_on_print)
NOTHING(__sanitizer_set_death_callback)
NOTHING(__sanitizer_print_stack_trace)
NOTHING(__sanitizer_symbolize_pc)
NOTHING(__sanitizer_symbolize_global)
NOTHING(__sanitizer_get_module_and_offset_for_pc)
NOTHING(__sanitizer_install_malloc_and_free_hooks)
NOTHING(__sanitizer_malloc_hook)
NOTHING(__sanitizer_free_hook)
NOTHING(__sanitizer_get_estimated_allocated_size)
NOTHING(__sanitizer_get_ownership)
NOTHING(__sanitizer_get_allocated_size)
NOTHING(__sanitizer_get_current_allocated_bytes)
NOTHING(__sanitizer_get_heap_size)
NOTHING(__sanitizer_get_free_bytes)
NOTHING(__sanitizer_get_unmapped_bytes)
int __sanitizer_acquire_crash_state(void);
int __sanitizer_acquire_crash_state(void)
{
	return 1; /* the caller is the first reporter */
}

/* ==== coverage (-fsanitize-coverage): these functions count nothing ==== */
NOTHING(__sanitizer_cov_dump)
NOTHING(__sanitizer_cov_reset)
NOTHING(__sanitizer_dump_coverage)
NOTHING(__sanitizer_dump_trace_pc_guard_coverage)
NOTHING(__sanitizer_cov_8bit_counters_init)
NOTHING(__sanitizer_cov_bool_flag_init)
NOTHING(__sanitizer_cov_pcs_init)
NOTHING(__sanitizer_cov_trace_cmp)
NOTHING(__sanitizer_cov_trace_cmp1)
NOTHING(__sanitizer_cov_trace_cmp2)
NOTHING(__sanitizer_cov_trace_cmp4)
NOTHING(__sanitizer_cov_trace_cmp8)
NOTHING(__sanitizer_cov_trace_const_cmp1)
NOTHING(__sanitizer_cov_trace_const_cmp2)
NOTHING(__sanitizer_cov_trace_const_cmp4)
NOTHING(__sanitizer_cov_trace_const_cmp8)
NOTHING(__sanitizer_cov_trace_div4)
NOTHING(__sanitizer_cov_trace_div8)
NOTHING(__sanitizer_cov_trace_gep)
NOTHING(__sanitizer_cov_trace_pc_guard)
NOTHING(__sanitizer_cov_trace_pc_guard_init)
NOTHING(__sanitizer_cov_trace_pc_indir)
NOTHING(__sanitizer_cov_trace_switch)
NOTHING(__sancov_default_options)
__thread uintptr_t __sancov_lowest_stack;
NOTHING(__sanitizer_weak_hook_memcmp)
NOTHING(__sanitizer_weak_hook_memmem)
NOTHING(__sanitizer_weak_hook_strcasecmp)
NOTHING(__sanitizer_weak_hook_strcasestr)
NOTHING(__sanitizer_weak_hook_strcmp)
NOTHING(__sanitizer_weak_hook_strncasecmp)
NOTHING(__sanitizer_weak_hook_strncmp)
NOTHING(__sanitizer_weak_hook_strstr)

/* ==== unaligned accesses that programs request: announced like those that the compiler finds ==== */
#define UNALIGNED(bits, bytes)                                                                     \
	void __tsan_unaligned_read##bytes(const void *);                                           \
	void __tsan_unaligned_write##bytes(void *);                                                \
	uint##bits##_t __sanitizer_unaligned_load##bits(const void *);                             \
	uint##bits##_t __sanitizer_unaligned_load##bits(const void *p)                             \
	{                                                                                          \
		uint##bits##_t v;                                                                  \
                                                                                                   \
		__tsan_unaligned_read##bytes(p);                                                   \
		__builtin_memcpy(&v, p, bytes);                                                    \
		return v;                                                                          \
	}                                                                                          \
	void __sanitizer_unaligned_store##bits(void *, uint##bits##_t);                            \
	void __sanitizer_unaligned_store##bits(void *p, uint##bits##_t v)                          \
	{                                                                                          \
		__tsan_unaligned_write##bytes(p);                                                  \
		__builtin_memcpy(p, &v, bytes);                                                    \
	}
UNALIGNED(16, 2)
UNALIGNED(32, 4)
UNALIGNED(64, 8)

/* ==== <valgrind/valgrind.h> without valgrind ==== */
NOTHING(RunningOnValgrind)
double ValgrindSlowdown(void);
double ValgrindSlowdown(void)
{
	return 0;
}
const char *ThreadSanitizerQuery(const char *);
const char *ThreadSanitizerQuery(const char *what)
{
	(void)what;
	return "0";
}

/*
 * ==== functions of the runtime under names that libc.so does not have ====
 *
 * A program takes atexit from libc's static part unless the runtime has it. Handlers that are registered here run at exit, even those of a
 * library that was closed, as with the real runtime. The real runtime also brings libm, so this library is linked to it.
 */
int __cxa_atexit(void (*)(void *), void *, void *);
static void call(void *handler)
{
	((void (*)(void))handler)();
}
int atexit(void (*handler)(void))
{
	return __cxa_atexit(call, (void *)handler, NULL);
}

/* Other names of functions of libc. sigsetjmp returns twice. */
PROCESSOR_SECOND_NAME(sigsetjmp, __sigsetjmp);
PROCESSOR_SECOND_NAME(pthread_mutexattr_getrobust_np, pthread_mutexattr_getrobust);

/*
 * ==== libc functions with two versions ====
 *
 * The real runtime intercepts these, so the program was linked against the runtime's symbols, which have no version. If libc itself
 * resolved such a reference, it would be the oldest version (realpath(p, NULL) fails there). So these functions call the newest version.
 */
#define NEWEST(type, name, parameters, arguments)                                                  \
	type name parameters                                                                       \
	{                                                                                          \
		static __typeof__(&name) newest;                                                   \
                                                                                                   \
		if (!newest)                                                                       \
			newest = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                       \
		return newest arguments;                                                           \
	}
NEWEST(char *, realpath, (const char *path, char *resolved), (path, resolved))
NEWEST(int, regexec, (const regex_t *regex, const char *text, size_t n, regmatch_t match[n], int flags),
	(regex, text, n, match, flags))
NEWEST(FILE *, fmemopen, (void *buffer, size_t size, const char *mode), (buffer, size, mode))
NEWEST(int, glob, (const char *pattern, int flags, int (*error)(const char *, int), glob_t *result),
	(pattern, flags, error, result))
NEWEST(int, glob64, (const char *pattern, int flags, int (*error)(const char *, int), glob64_t *result),
	(pattern, flags, error, result))
