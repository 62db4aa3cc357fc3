#ifndef SIMUL_BASE_NAME_H
#define SIMUL_BASE_NAME_H

#include <string.h>

/* What follows the last '/' of a path; all of it when there is none. */
static inline const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
