#include "cli/target/library_version.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/session_note.h"
#include "recorder/symbols/elf_note.h"

uint32_t library_version(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint32_t version = 0;
	size_t size;
	void *value;

	if (fd < 0)
		return 0;
	value = elf_note(fd, SESSION_NOTE_NAME, SESSION_NOTE_TYPE, &size);
	if (value && size == sizeof(version))
		memcpy(&version, value, sizeof(version));
	free(value);
	close(fd);
	return version;
}
