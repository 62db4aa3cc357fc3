/*
 * The real functions behind the hooks of preload/base/bytes.def, as preload/base/real.h declares them. Each pointer
 * first points to a stub, which looks the function up: hooks may run before any constructor. All arguments and results
 * are integers or pointers.
 */
#include <dlfcn.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>
#include <wchar.h>

#include "enforce/lib/real.h"

typedef long function(long a, long b, long c, long d);

#define MODEL(ret, name, args) \
	static long find_##name(long a, long b, long c, long d); \
	extern ret(*real_##name) args; \
	ret(*real_##name) args = (ret(*) args)(void *)find_##name; \
	static long find_##name(long a, long b, long c, long d) \
	{ \
		void *found = dlsym(RTLD_NEXT, #name); \
\
		__atomic_store_n((void **)(void *)&real_##name, found, __ATOMIC_RELAXED); \
		return ((function *)found)(a, b, c, d); \
	}
#include "preload/base/bytes.def"
