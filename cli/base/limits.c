#include "cli/base/limits.h"

#include <errno.h>
#include <sys/resource.h>

#include "cli/base/say.h"

#define DESCRIPTORS 256 /* enough for the session's descriptors, which have high numbers (cli/target/environment.h) */

const char *limit_hint(int error)
{
	switch (error) {
	case EFBIG:
		return " (the limit on file size also applies to shared memory: ulimit -f)";
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

bool limit_allows_session(void)
{
	struct rlimit now;

	if (getrlimit(RLIMIT_NOFILE, &now) || now.rlim_cur >= DESCRIPTORS)
		return true;
	say("the limit on open files is %llu, and simul needs %d: ulimit -n %d%s", (unsigned long long)now.rlim_cur, DESCRIPTORS, DESCRIPTORS,
		now.rlim_max < DESCRIPTORS ? ", in a shell that may still raise it" : "");
	return false;
}
