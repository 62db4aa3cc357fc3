#include "cli/base/library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/printable.h"
#include "cli/base/say.h"

/* Returns what dlerror says, without the name of the library before it. */
static const char *reason(const struct library *l)
{
	const char *said = dlerror();
	size_t n = strlen(l->soname);

	return !strncmp(said, l->soname, n) && said[n] == ':' && said[n + 1] == ' ' ? said + n + 2 : said;
}

bool library_load(struct library *l, char *why, size_t size)
{
	void **function = l->function, *handle;

	if (l->loaded)
		return true;
	handle = dlopen(l->soname, RTLD_NOW);
	if (!handle) {
		text_set(why, size, "the library %s cannot be loaded (%s); Debian's package %s has it", l->soname,
			reason(l), l->package);
		printable_in_place(why, size, PRINTABLE_LINE);
		return false;
	}
	for (size_t i = 0; l->name[i]; i++) {
		function[i] = dlsym(handle, l->name[i]);
		if (!function[i]) {
			text_set(why, size, "the library %s has no function %s; the one of Debian's package %s has",
				l->soname, l->name[i], l->package);
			dlclose(handle);
			return false;
		}
	}
	l->loaded = true;
	return true;
}
