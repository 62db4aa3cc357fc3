#include "preload/modules/libstdcxx.h"

#include <dlfcn.h>
#include <stddef.h>

#include "preload/base/rules.h"

/* Member functions get the object as their first argument, and references are pointers (Itanium C++ ABI). */
typedef const void *(*classic_fn)(void);
typedef const void *(*facet_fn)(const void *locale);
typedef void (*init_fn)(const void *facet);
typedef char (*fill_fn)(const void *ios);

static struct {
	classic_fn classic;
	facet_fn facet;
	init_fn widen, narrow;
	fill_fn fill;
	const char *stream[3];
} found;

bool libstdcxx_find(void)
{
	static const char *const names[] = { "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog" };
	found.classic = (classic_fn)dlsym(RTLD_DEFAULT, "_ZNSt6locale7classicEv");
	if (!found.classic)
		return false;
	found.facet = (facet_fn)dlsym(RTLD_DEFAULT, "_ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale");
	found.widen = (init_fn)dlsym(RTLD_DEFAULT, "_ZNKSt5ctypeIcE13_M_widen_initEv");
	found.narrow = (init_fn)dlsym(RTLD_DEFAULT, "_ZNKSt5ctypeIcE14_M_narrow_initEv");
	found.fill = (fill_fn)dlsym(RTLD_DEFAULT, "_ZNKSt9basic_iosIcSt11char_traitsIcEE4fillEv");
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		found.stream[i] = dlsym(RTLD_DEFAULT, names[i]);
	return true;
}

void libstdcxx_settle(void)
{
	if (found.facet && found.widen && found.narrow) {
		const void *ctype = found.facet(found.classic());
		found.widen(ctype);
		found.narrow(ctype);
	}
	for (unsigned i = 0; found.fill && i < sizeof found.stream / sizeof *found.stream; i++) {
		const char *stream = found.stream[i];
		const ptrdiff_t *table = stream ? *(const ptrdiff_t *const *)(const void *)stream : NULL;
		if (table) /* the stream has been constructed, and its table says where its virtual base is */
			found.fill(stream + table[-3]);
	}
}
