#include "preload/kernel/older_settings.h"

#include <asm/termbits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/kernel/fd.h"
#include "preload/base/rules.h"

#define MOST 64
#define GET 0x5401 /* TCGETS and TCSETS: <asm/ioctls.h> does not go with <asm/termbits.h> and libc's headers */
#define SET 0x5402

static struct terminal {
	int fd;
	struct termios settings;
} terminals[MOST];
static unsigned n_terminals;

/* The options that programs set and that can be set back. The kernel changes the sizes of buffers by itself. */
static const struct {
	int level, name;
} options[] = {
	{SOL_SOCKET, SO_REUSEADDR},
	{SOL_SOCKET, SO_KEEPALIVE},
	{SOL_SOCKET, SO_BROADCAST},
	{SOL_SOCKET, SO_OOBINLINE},
	{SOL_SOCKET, SO_LINGER},
	{SOL_SOCKET, SO_RCVTIMEO},
	{SOL_SOCKET, SO_SNDTIMEO},
	{SOL_SOCKET, SO_RCVLOWAT},
	{SOL_SOCKET, SO_PASSCRED},
	{SOL_SOCKET, SO_PRIORITY},
	{SOL_SOCKET, SO_REUSEPORT},
	{IPPROTO_TCP, TCP_NODELAY},
	{IPPROTO_TCP, TCP_CORK},
	{IPPROTO_TCP, TCP_KEEPIDLE},
	{IPPROTO_TCP, TCP_KEEPINTVL},
	{IPPROTO_TCP, TCP_KEEPCNT},
	{IPPROTO_TCP, TCP_USER_TIMEOUT},
};
#define OPTIONS (sizeof(options) / sizeof(options[0]))

struct value {
	socklen_t size; /* 0: the socket does not have the option */
	unsigned char bytes[16];
};

static struct older_socket {
	int fd;
	struct value value[OPTIONS];
} sockets[MOST];
static unsigned n_sockets;

static void ask(int fd, unsigned option, struct value *v)
{
	*v = (struct value){.size = sizeof(v->bytes)};
	long r = sys_call5(SYS_getsockopt, fd, options[option].level, options[option].name, (long)v->bytes,
		(long)&v->size);

	if (r)
		v->size = 0;
}

static void lose(void)
{
	ctl_uncontrolled("terminals or sockets beyond the first 64, whose settings are not restored");
}

static void remember_socket(int fd)
{
	if (n_sockets == MOST) {
		lose();
		return;
	}
	sockets[n_sockets].fd = fd;
	for (unsigned i = 0; i < OPTIONS; i++)
		ask(fd, i, &sockets[n_sockets].value[i]);
	n_sockets++;
}

void older_settings_remember(int fd)
{
	const struct open_file *f = fd_known(fd);
	struct terminal t = {.fd = fd};

	if (f && f->kind == FILE_NET)
		remember_socket(fd);
	if (sys_call3(SYS_ioctl, fd, GET, (long)&t.settings))
		return;
	if (n_terminals < MOST)
		terminals[n_terminals++] = t;
	else
		lose();
}

static void restore_socket(const struct older_socket *s)
{
	for (unsigned i = 0; i < OPTIONS; i++) {
		const struct value *v = &s->value[i];
		struct value now;

		if (!v->size)
			continue;
		ask(s->fd, i, &now);
		if (now.size == v->size && memcmp(now.bytes, v->bytes, v->size) != 0)
			sys_call5(SYS_setsockopt, s->fd, options[i].level, options[i].name, (long)v->bytes,
				v->size);
	}
}

void older_settings_restore(void)
{
	for (unsigned i = 0; i < n_terminals; i++) {
		const struct terminal *t = &terminals[i];
		struct termios now = {0};

		if (!sys_call3(SYS_ioctl, t->fd, GET, (long)&now) && memcmp(&now, &t->settings, sizeof(now)) != 0)
			sys_call3(SYS_ioctl, t->fd, SET, (long)&t->settings);
	}
	for (unsigned i = 0; i < n_sockets; i++)
		restore_socket(&sockets[i]);
}
