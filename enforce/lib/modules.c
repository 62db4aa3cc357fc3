/* See modules.h. */
#include "enforce/lib/modules.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enforce/lib/gate.h"

static uint64_t *bias; /* by module */
static bool *found;    /* by module: bias is known */

struct looking {
	uint32_t module;
	bool found, same;
};

static const struct plan_module *module_at(uint32_t m)
{
	return (const struct plan_module *)plan_at(gate_plan->modules) + m;
}

/* Reads the GNU build-id in hexadecimal; "" if there is none. */
static void read_build_id(const struct dl_phdr_info *info, char *hex, size_t size)
{
	hex[0] = 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const char *p = (const char *)info->dlpi_addr + ph->p_vaddr, *end = p + ph->p_memsz;

		if (ph->p_type != PT_NOTE)
			continue;
		while (p + sizeof(ElfW(Nhdr)) <= end) {
			const ElfW(Nhdr) *n = (const void *)p;
			const char *name = p + sizeof(*n), *desc = name + ((n->n_namesz + 3) & ~3u);

			p = desc + ((n->n_descsz + 3) & ~3u);
			if (p > end || n->n_type != NT_GNU_BUILD_ID || n->n_namesz != 4 || memcmp(name, "GNU", 4))
				continue;
			for (unsigned k = 0; k < n->n_descsz && 2 * k + 3 < size; k++)
				snprintf(hex + 2 * k, 3, "%02x", (unsigned char)desc[k]);
			return;
		}
	}
}

static bool same_file(const char *loaded, const char *path)
{
	char real[PATH_MAX];

	return realpath(loaded, real) && !strcmp(real, path);
}

static int look(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct looking *l = ctx;
	const char *path = plan_text(module_at(l->module)->path), *id = plan_text(module_at(l->module)->build_id);
	char hex[2 * 64 + 1];

	if (l->module == 0 ? info->dlpi_name[0] != 0 : !same_file(info->dlpi_name, path))
		return 0;
	l->found = true;
	bias[l->module] = info->dlpi_addr;
	read_build_id(info, hex, sizeof(hex));
	l->same = !strncmp(id, "hash-", 5) || !strcmp(hex, id);
	return 1;
}

/* Finds the modules that were not found before. Returns the first one that is not loaded, or NULL. */
static const char *find_modules(void)
{
	const char *missing = NULL;

	for (uint32_t m = 0; m < gate_plan->n_modules; m++) {
		struct looking l = {.module = m};

		if (found[m])
			continue;
		dl_iterate_phdr(look, &l);
		if (l.found && !l.same)
			gate_refuse("the certificate was made with another build of %s: make it again with simul certify", plan_text(module_at(m)->path));
		found[m] = l.found;
		if (!l.found && !missing)
			missing = plan_text(module_at(m)->path);
	}
	return missing;
}

bool modules_init(void)
{
	bias = gate_room(sizeof(*bias) * gate_plan->n_modules);
	found = gate_room(sizeof(*found) * gate_plan->n_modules);
	return !find_modules();
}

void modules_require(void)
{
	const char *missing = find_modules();

	if (missing)
		gate_refuse("the certificate cannot be enforced: %s is not loaded when the program creates its first thread", missing);
}

bool modules_found(uint32_t module)
{
	return module == PLAN_HEAP || found[module];
}

uint64_t modules_address(const struct plan_range *range)
{
	return range->module == PLAN_HEAP ? range->offset : bias[range->module] + range->offset;
}
