#include "cli/doctor/own_libraries.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base_name.h"
#include "base/xalloc.h"
#include "cli/base/proc_text.h"

struct file {
	char *path, *soname; /* soname: NULL if it has none */
	char **needed;       /* NULL-terminated */
	bool of_program, of_library;
};

struct files {
	struct file *file;
	size_t n;
};

static void add(char ***list, size_t *n, const char *text)
{
	*list = xgrow(*list, *n, sizeof(**list));
	(*list)[(*n)++] = text ? xstrdup(text) : NULL;
}

static void read_dynamic(Elf *elf, struct file *f)
{
	Elf_Scn *section = NULL;
	GElf_Shdr sh;
	GElf_Dyn dyn;
	size_t n = 0;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &sh) || sh.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
			const char *name = dyn.d_tag == DT_NEEDED || dyn.d_tag == DT_SONAME ? elf_strptr(elf, sh.sh_link, dyn.d_un.d_val) : NULL;

			if (name && dyn.d_tag == DT_NEEDED)
				add(&f->needed, &n, name);
			else if (name && !f->soname)
				f->soname = xstrdup(name);
		}
	}
	add(&f->needed, &n, NULL);
}

static void read_file(struct files *all, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct file *f;
	Elf *elf;

	if (fd < 0)
		return;
	all->file = xgrow(all->file, all->n, sizeof(*all->file));
	f = &all->file[all->n++];
	*f = (struct file){.path = xstrdup(path)};
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		read_dynamic(elf, f);
	elf_end(elf);
	close(fd);
}

/* Marks everything that file `i` needs. */
static void mark(struct files *all, size_t i, bool program)
{
	bool *seen = program ? &all->file[i].of_program : &all->file[i].of_library;

	if (*seen)
		return;
	*seen = true;
	for (char **name = all->file[i].needed; name && *name; name++)
		for (size_t k = 0; k < all->n; k++)
			if (!strcmp(all->file[k].soname ? all->file[k].soname : base_name(all->file[k].path), *name))
				mark(all, k, program);
}

static void free_file(struct file *f)
{
	for (char **name = f->needed; name && *name; name++)
		free(*name);
	free(f->needed);
	free(f->soname);
	free(f->path);
}

void own_libraries_find(struct own_libraries *own, const char *maps, const char *program, const char *library)
{
	struct files all = {NULL, 0};
	char before[sizeof(((struct mapping *)0)->path)] = "", *real = realpath(program, NULL), *ours = realpath(library, NULL);
	struct mapping m;
	bool found = false; /* a script has no libraries of its own */
	size_t n = 0;

	while (proc_text_mapping(&maps, &m)) {
		if (!m.code || m.path[0] != '/' || !strcmp(m.path, before))
			continue;
		read_file(&all, m.path);
		memcpy(before, m.path, sizeof(before));
	}
	for (size_t i = 0; i < all.n; i++) {
		if (real && !strcmp(all.file[i].path, real))
			mark(&all, i, found = true);
		if ((ours && !strcmp(all.file[i].path, ours)) || !strncmp(base_name(all.file[i].path), "libunwind.so", 12)) /* it opens the latter */
			mark(&all, i, false);
	}
	for (size_t i = 0; i < all.n; i++)
		if (found && all.file[i].of_library && !all.file[i].of_program)
			add(&own->path, &n, all.file[i].path);
	own->n = n;
	for (size_t i = 0; i < all.n; i++)
		free_file(&all.file[i]);
	free(all.file);
	free(real);
	free(ours);
}

bool own_libraries_have(const struct own_libraries *own, const char *path)
{
	for (size_t i = 0; i < own->n; i++)
		if (!strcmp(own->path[i], path))
			return true;
	return false;
}

void own_libraries_free(struct own_libraries *own)
{
	for (size_t i = 0; i < own->n; i++)
		free(own->path[i]);
	free(own->path);
}
