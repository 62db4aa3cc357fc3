#include "cli/verdict/systemc.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name of a class that only the kernel itself contains, as in its type information, which stripping keeps. */
static const char name[] = "N7sc_core17sc_method_processE";

struct bytes {
	const char *at;
	size_t n;
};

/* Maps the file. Returns false if it cannot be read. */
static bool map_file(const char *path, struct bytes *b)
{
	struct stat st;
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *bytes = MAP_FAILED;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return false;
	b->at = bytes;
	b->n = (size_t)st.st_size;
	return true;
}

bool systemc_is_inside(const char *path)
{
	struct bytes b;

	if (!map_file(path, &b))
		return false;
	bool found = memmem(b.at, b.n, name, sizeof(name)) != NULL;
	munmap((void *)(uintptr_t)b.at, b.n);
	return found;
}

/* Copies `size` bytes at offset `at` of the file. Returns false if the file is too short. */
static bool copy(const struct bytes *b, uint64_t at, void *to, size_t size)
{
	if (at > b->n || size > b->n - at)
		return false;
	memcpy(to, b->at + at, size);
	return true;
}

/* Finds the dynamic strings, and whether the file needs libsystemc. Returns false if the file is no ELF file that does. */
static bool needs_systemc(const struct bytes *b, struct bytes *strings)
{
	static const char library[] = "libsystemc";
	Elf64_Ehdr h;
	Elf64_Phdr p, load;
	uint64_t table = 0, size = 0, needed[256];
	unsigned n = 0;

	if (!copy(b, 0, &h, sizeof(h)) || memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_phentsize != sizeof(p))
		return false;
	for (unsigned i = 0; i < h.e_phnum; i++) {
		Elf64_Dyn d;

		if (!copy(b, h.e_phoff + i * sizeof(p), &p, sizeof(p)) || p.p_type != PT_DYNAMIC)
			continue;
		for (uint64_t at = 0; at + sizeof(d) <= p.p_filesz && copy(b, p.p_offset + at, &d, sizeof(d)) && d.d_tag != DT_NULL; at += sizeof(d)) {
			if (d.d_tag == DT_STRTAB)
				table = d.d_un.d_ptr;
			else if (d.d_tag == DT_STRSZ)
				size = d.d_un.d_val;
			else if (d.d_tag == DT_NEEDED && n < sizeof(needed) / sizeof(needed[0]))
				needed[n++] = d.d_un.d_val;
		}
	}
	*strings = (struct bytes){NULL, 0};
	for (unsigned i = 0; i < h.e_phnum; i++)
		if (copy(b, h.e_phoff + i * sizeof(load), &load, sizeof(load)) && load.p_type == PT_LOAD && table >= load.p_vaddr &&
			table - load.p_vaddr < load.p_filesz) {
			uint64_t at = table - load.p_vaddr + load.p_offset;

			if (at < b->n && size <= b->n - at)
				*strings = (struct bytes){b->at + at, size};
		}
	for (unsigned i = 0; i < n; i++)
		if (needed[i] < strings->n && strings->n - needed[i] > sizeof(library) &&
			!strncmp(strings->at + needed[i], library, sizeof(library) - 1))
			return true;
	return false;
}

bool systemc_is_used(const char *path)
{
	static const char *const threads[] = {"pthread_create", "thrd_create", "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"};
	struct bytes b, strings;
	bool used = false;

	if (!map_file(path, &b))
		return false;
	if (needs_systemc(&b, &strings)) {
		used = true;
		for (unsigned i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
			used &= !memmem(strings.at, strings.n, threads[i], strlen(threads[i]) + 1);
	}
	munmap((void *)(uintptr_t)b.at, b.n);
	return used;
}
