/* C++ demangling. In a file of its own because libiberty's header declares allocators with the same names as xalloc.h. */
#include <libiberty/demangle.h>
#include <string.h>

#include "base/check.h"
#include "recorder/symbols/symbols_internal.h"

char *symbols_demangle(const char *name)
{
	char *plain = cplus_demangle(name, DMGL_ANSI);

	if (!plain)
		plain = strdup(name);
	INVARIANT(plain, "out of memory");
	return plain;
}
