#include "cli/target/library_version.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/session_note.h"

#include <gelf.h>
#include <libelf.h>

/* Returns the version in the notes of `data`; 0: it is not there. */
static uint32_t find_note(Elf_Data *data)
{
	size_t at = 0, name, value;
	GElf_Nhdr nh;
	uint32_t version = 0;

	while (data && !version && (at = gelf_getnote(data, at, &nh, &name, &value)) > 0) {
		const char *bytes = data->d_buf;

		if (nh.n_type == SESSION_NOTE_TYPE && nh.n_namesz == sizeof(SESSION_NOTE_NAME) &&
			nh.n_descsz == sizeof(version) &&
			!memcmp(bytes + name, SESSION_NOTE_NAME, sizeof(SESSION_NOTE_NAME)))
			memcpy(&version, bytes + value, sizeof(version));
	}
	return version;
}

uint32_t library_version(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint32_t version = 0;
	size_t n = 0;
	Elf *elf;

	if (fd < 0)
		return 0;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && elf_getphdrnum(elf, &n) == 0)
		for (size_t i = 0; i < n && !version; i++) {
			GElf_Phdr ph;

			if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_NOTE)
				version = find_note(elf_getdata_rawchunk(elf, (int64_t)ph.p_offset, ph.p_filesz,
					ph.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR));
		}
	elf_end(elf);
	close(fd);
	return version;
}
