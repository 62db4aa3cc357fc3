#ifndef SIMUL_BASE_NAME_H
#define SIMUL_BASE_NAME_H

#include <string.h>

/* Returns the part of a path after its last '/'; the whole path when it has no '/'. */
static inline const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
