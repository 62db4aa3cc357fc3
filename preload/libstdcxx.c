#include "preload/libstdcxx.h"

#include <dlfcn.h>
#include <stddef.h>

#include "preload/rules.h"

/* Calls of member functions pass the object like a first argument; references are pointers (Itanium C++ ABI). */
typedef const void *(*classic_fn)(void);
typedef const void *(*facet_fn)(const void *locale);
typedef void (*init_fn)(const void *facet);
typedef char (*fill_fn)(const void *ios);

static void settle_characters(void)
{
	classic_fn classic = (classic_fn)dlsym(RTLD_DEFAULT, "_ZNSt6locale7classicEv");
	facet_fn facet = (facet_fn)dlsym(RTLD_DEFAULT, "_ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale");
	init_fn widen = (init_fn)dlsym(RTLD_DEFAULT, "_ZNKSt5ctypeIcE13_M_widen_initEv");
	init_fn narrow = (init_fn)dlsym(RTLD_DEFAULT, "_ZNKSt5ctypeIcE14_M_narrow_initEv");
	if (!classic || !facet || !widen || !narrow)
		return;
	const void *ctype = facet(classic());
	widen(ctype);
	narrow(ctype);
}

static void settle_streams(void)
{
	static const char *const names[] = { "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog" };
	fill_fn fill = (fill_fn)dlsym(RTLD_DEFAULT, "_ZNKSt9basic_iosIcSt11char_traitsIcEE4fillEv");
	for (unsigned i = 0; fill && i < sizeof names / sizeof *names; i++) {
		const char *stream = dlsym(RTLD_DEFAULT, names[i]);
		const ptrdiff_t *table = stream ? *(const ptrdiff_t *const *)(const void *)stream : NULL;
		if (table) /* it has been constructed: its virtual base is where the table says */
			fill(stream + table[-3]);
	}
}

void libstdcxx_settle(void)
{
	settle_characters();
	settle_streams();
}
