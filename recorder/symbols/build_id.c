/* The identity of an executable. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "recorder/symbols/elf_note.h"
#include "recorder/symbols/symbols.h"

static char *hex(const unsigned char *bytes, size_t n)
{
	char *text = xcalloc(n * 2 + 1, 1);

	for (size_t i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return text;
}

/* Returns the build-id in the notes of the file, or NULL. */
static char *note_id(int fd)
{
	size_t n;
	unsigned char *bytes = elf_note(fd, "GNU", NT_GNU_BUILD_ID, &n);
	char *id = bytes ? hex(bytes, n) : NULL;

	free(bytes);
	return id;
}

/* Two FNV-1a hashes with different initial values. They distinguish builds but resist no attacker. */
static char *content_id(int fd)
{
	uint64_t a = HASH_START, b = UINT64_C(0x9ae16a3b2f90404f);
	unsigned char buf[65536];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buf, sizeof(buf), at)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return NULL;
		for (ssize_t i = 0; i < n; i++) {
			a = hash_byte(a, buf[i]);
			b = hash_spread(b + buf[i]);
			b ^= b >> 29;
		}
		at += n;
	}
	return xasprintf("hash-%016llx%016llx", (unsigned long long)a, (unsigned long long)b);
}

char *elf_build_id(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err;
	struct stat st;
	char *id = NULL;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	else if (!(id = note_id(fd)))
		id = content_id(fd);
	err = errno;
	close(fd);
	errno = err;
	return id;
}
