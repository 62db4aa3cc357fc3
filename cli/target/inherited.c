#include "cli/target/inherited.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/target/environment.h"

#define FROM 3
#define TO ENVIRONMENT_COMMON_FD /* simul's own follow */

static bool is_inherited(int fd)
{
	int flags = fcntl(fd, F_GETFD);

	return flags >= 0 && !(flags & FD_CLOEXEC);
}

char *inherited_list(void)
{
	char *list = xstrdup("");

	for (int fd = FROM; fd < TO; fd++)
		if (is_inherited(fd)) {
			char *longer = xasprintf("%s%s%d", list, *list ? " " : "", fd);

			free(list);
			list = longer;
		}
	return list;
}

static bool make_null(int fd)
{
	int null = open("/dev/null", O_RDWR);
	bool ok = null >= 0 && (null == fd || dup2(null, fd) >= 0);

	if (null >= 0 && null != fd)
		close(null);
	return ok;
}

bool inherited_make(const char *list)
{
	char *rest = (char *)list;
	long next = strtol(rest, &rest, 10);

	for (int fd = FROM; fd < TO; fd++) {
		bool wanted = fd == next;

		if (wanted && !is_inherited(fd) && !make_null(fd))
			return false;
		if (!wanted && is_inherited(fd))
			close(fd);
		if (wanted)
			next = strtol(rest, &rest, 10);
	}
	return true;
}
