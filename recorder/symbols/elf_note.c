#include "recorder/symbols/elf_note.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#include <gelf.h>
#include <libelf.h>

static void *find_note(Elf_Data *data, const char *name, uint32_t type, size_t *size)
{
	size_t at = 0, name_at, value_at;
	GElf_Nhdr nh;

	while (data && (at = gelf_getnote(data, at, &nh, &name_at, &value_at)) > 0) {
		const char *bytes = data->d_buf;
		void *value;

		if (nh.n_type != type || nh.n_namesz != strlen(name) + 1 || !nh.n_descsz ||
			memcmp(bytes + name_at, name, nh.n_namesz))
			continue;
		*size = nh.n_descsz;
		value = xcalloc(*size, 1);
		memcpy(value, bytes + value_at, *size);
		return value;
	}
	return NULL;
}

void *elf_note(int fd, const char *name, uint32_t type, size_t *size)
{
	void *value = NULL;
	size_t n = 0;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && elf_getphdrnum(elf, &n) == 0)
		for (size_t i = 0; i < n && !value; i++) {
			GElf_Phdr ph;
			Elf_Data *notes;

			if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_NOTE)
				continue;
			notes = elf_getdata_rawchunk(elf, (int64_t)ph.p_offset, ph.p_filesz,
				ph.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
			value = find_note(notes, name, type, size);
		}
	elf_end(elf);
	return value;
}
