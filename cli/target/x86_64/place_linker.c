#include "cli/target/place_linker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fixed_start.h"
#include "base/xalloc.h"

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

/* The detour takes the place of the system call in the linker's mmap. mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0) is the mapping of a whole
   file; parts of libraries are mapped with MAP_DENYWRITE. The address is only a wish: if it is taken, the kernel chooses another one. */
extern const unsigned char detour_code[], detour_code_end[];
__asm__(".pushsection .rodata\n"
	"detour_code:\n"
	"	test %rdi, %rdi\n"
	"	jne 1f\n"
	"	cmp $1, %edx\n"
	"	jne 1f\n"
	"	cmp $2, %r10d\n"
	"	jne 1f\n"
	"	test %r8d, %r8d\n"
	"	js 1f\n"
	"	movabs $" TEXT(FIXED_START_FILE_NUMBER) ", %rdi\n"
	"1:	mov $9, %eax\n"
	"	syscall\n"
	"	ret\n"
	"detour_code_end:\n"
	".popsection\n");

static const unsigned char mmap_call[] = {0xb8, 9, 0, 0, 0, 0x0f, 0x05}; /* mov $9, %eax; syscall */

/* Returns the address of the only such call in the linker; 0: there is none, or there are several. */
static uint64_t find_call(int mem_fd, uint64_t lo, uint64_t hi)
{
	unsigned char *text = xcalloc(1, hi - lo);
	ssize_t n = pread(mem_fd, text, hi - lo, (off_t)lo);
	uint64_t found = 0;
	unsigned times = 0;

	for (ssize_t i = 0; i + (ssize_t)sizeof(mmap_call) <= n; i++) {
		if (memcmp(text + i, mmap_call, sizeof(mmap_call)))
			continue;
		found = lo + (uint64_t)i;
		times++;
	}
	free(text);
	return times == 1 ? found : 0;
}

bool place_linker_detour(int mem_fd, uint64_t lo, uint64_t hi)
{
	unsigned char jump[sizeof(mmap_call)] = {0xe8, 0, 0, 0, 0, 0x66, 0x90}; /* call detour; nop */
	uint64_t at = find_call(mem_fd, lo, hi);
	int32_t distance = (int32_t)(FIXED_START_DETOUR - (at + 5));
	size_t bytes = (size_t)(detour_code_end - detour_code);

	if (!at)
		return true;
	memcpy(jump + 1, &distance, sizeof(distance));
	return pwrite(mem_fd, detour_code, bytes, (off_t)FIXED_START_DETOUR) == (ssize_t)bytes &&
	       pwrite(mem_fd, jump, sizeof(jump), (off_t)at) == (ssize_t)sizeof(jump);
}
