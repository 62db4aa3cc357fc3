#include "preload/failure/unwinder.h"

#include <execinfo.h>
#include <stddef.h>

#include "preload/failure/imports.h"
#include "preload/base/rules.h"

static const char *const wants[] = { "pthread_exit", "pthread_cancel", "thrd_exit", "backtrace", NULL };

void unwinder_ready(void)
{
	void *frame[2];
	if (imports_any(wants))
		backtrace(frame, 2); /* loads libgcc_s, which pthread_exit needs */
}
