#include "cli/limits.h"

#include <errno.h>

const char *limit_hint(int error)
{
	switch (error) {
	case EFBIG:
		return " (a limit on the size of files, which counts for shared memory too: ulimit -f)";
	case EMFILE:
		return " (the limit on open files is too small: ulimit -n 256)";
	case EAGAIN:
		return " (a limit on processes? ulimit -u)";
	case ENOMEM:
		return " (a limit on memory? ulimit -v)";
	default:
		return "";
	}
}
