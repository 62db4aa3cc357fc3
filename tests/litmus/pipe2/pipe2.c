/* Two writers in either order; the first read comes before or after the second write: 2 * 2.  Whether a read can go on is known to the kernel
   only, so the search may start an execution in which it cannot, and block it. */
#include <unistd.h>

#include "../litmus.h"

static int fd[2];

T(w)
{
	if (write(fd[1], "x", 1) != 1)
		_Exit(1);
	return NULL;
}

T(r)
{
	char c;

	for (int i = 0; i < 2; i++)
		if (read(fd[0], &c, 1) != 1)
			_Exit(2);
	return NULL;
}

int main(void)
{
	CHECK(pipe(fd));
	RUN(w, r, w);
	return 0;
}
