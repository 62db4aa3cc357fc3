#include "preload/kernel/terminals.h"

#include <asm/termbits.h>
#include <string.h>
#include <sys/syscall.h>

#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/base/rules.h"

#define MAX_TERMINALS 16
#define GET 0x5401 /* TCGETS and TCSETS: <asm/ioctls.h> does not go with <asm/termbits.h> and libc's headers */
#define SET 0x5402

static struct terminal {
	int fd;
	struct termios settings;
} terminals[MAX_TERMINALS];
static unsigned n_terminals;

void terminals_remember(int fd)
{
	struct terminal t = {.fd = fd};

	if (sys_call3(SYS_ioctl, fd, GET, (long)&t.settings))
		return;
	if (n_terminals < MAX_TERMINALS)
		terminals[n_terminals++] = t;
	else
		ctl_uncontrolled("terminals beyond the first 16, whose settings are not restored between executions");
}

void terminals_restore(void)
{
	for (unsigned i = 0; i < n_terminals; i++) {
		const struct terminal *t = &terminals[i];
		struct termios now = {0};

		if (!sys_call3(SYS_ioctl, t->fd, GET, (long)&now) && memcmp(&now, &t->settings, sizeof(now)) != 0)
			sys_call3(SYS_ioctl, t->fd, SET, (long)&t->settings);
	}
}
