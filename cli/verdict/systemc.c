#include "cli/verdict/systemc.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name of a class that only the kernel itself contains, as in its type information, which stripping keeps. */
static const char name[] = "N7sc_core17sc_method_processE";

bool systemc_is_inside(const char *path)
{
	struct stat st;
	bool found = false;
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0) {
		void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (bytes != MAP_FAILED) {
			found = memmem(bytes, (size_t)st.st_size, name, sizeof(name)) != NULL;
			munmap(bytes, (size_t)st.st_size);
		}
	}
	close(fd);
	return found;
}
