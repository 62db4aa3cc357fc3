/*
 * Sockets. A socket pair is an object, and all other sockets together are one object. Sending and receiving wait like reads and writes.
 * With a timeout of the socket (SO_RCVTIMEO, SO_SNDTIMEO) the call is a timed one, which never waits.
 */
#include "preload/base/real.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "preload/accesses/ranges.h"
#include "preload/control/ctl.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/file_effects.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/own_files.h"
#include "preload/hooks/fd_io.h"
#include "preload/hooks/socket.h"
#include "preload/kernel/process.h"
#include "preload/life/worker.h"
#include "preload/base/sys.h"
#include "preload/control/vtime.h"

#include "preload/base/rules.h"

static int new_socket(int fd, int domain, int type, const void *pc)
{
	if (fd >= 0 && ctl_enter()) {
		outside_note("opens sockets");
		own_files_socket(domain, type, pc);
		fd_assign(fd, fd_network());
		fd = descriptor_opened(fd);
		ctl_leave();
	}
	return fd;
}

int socket(int domain, int type, int protocol)
{
	const void *pc = __builtin_return_address(0);

	return new_socket(real_socket(domain, type, protocol), domain, type, pc);
}

/* ---- calls that never wait, but are events ---- */

static void touch(int fd, const void *pc)
{
	struct open_file *f = fd_lookup(fd);

	if (f)
		fd_touch_ordered(f, pc);
}

/* Returns the effect of bind on files: it creates a file if the socket is a Unix socket with a name. */
static struct effect effect_bind(const struct sockaddr *addr, socklen_t len)
{
	char path[sizeof(struct sockaddr_un)] = {0};
	size_t before = offsetof(struct sockaddr_un, sun_path);

	if (addr && addr->sa_family == AF_UNIX && len > before && len - before < sizeof(path))
		memcpy(path, (const char *)addr + before, len - before);
	return effect_on(AT_FDCWD, path, EFFECT_NEW);
}

static int do_bind(int fd, const struct sockaddr *addr, socklen_t len, const void *pc)
{
	touch(fd, pc);
	ctl_leave();
	struct effect e = effect_bind(addr, len);

	return effect_done(&e, real_bind(fd, addr, len));
}

static int do_listen(int fd, int backlog, const void *pc)
{
	touch(fd, pc);
	return (int)fd_done(real_listen(fd, backlog));
}

static int do_shutdown(int fd, int how, const void *pc)
{
	touch(fd, pc);
	return (int)fd_done(real_shutdown(fd, how));
}

int bind(int fd, const struct sockaddr *addr, socklen_t len)
{
	const void *pc = __builtin_return_address(0);

	return ctl_enter() ? WITH_DESCRIPTOR(fd, held, pc, do_bind(held, addr, len, pc)) : real_bind(fd, addr, len);
}

int listen(int fd, int backlog)
{
	const void *pc = __builtin_return_address(0);

	return ctl_enter() ? WITH_DESCRIPTOR(fd, held, pc, do_listen(held, backlog, pc)) : real_listen(fd, backlog);
}

int shutdown(int fd, int how)
{
	const void *pc = __builtin_return_address(0);

	return ctl_enter() ? WITH_DESCRIPTOR(fd, held, pc, do_shutdown(held, how, pc)) : real_shutdown(fd, how);
}

/* Returns the virtual deadline that SO_RCVTIMEO or SO_SNDTIMEO sets; OP_NO_DEADLINE: none is set. */
static uint64_t socket_deadline(int fd, int option)
{
	struct timeval tv = {0};
	socklen_t len = sizeof(tv);

	if (sys_call5(SYS_getsockopt, fd, SOL_SOCKET, option, (long)&tv, (long)&len) ||
		(!tv.tv_sec && !tv.tv_usec))
		return OP_NO_DEADLINE;
	struct timespec ts = {tv.tv_sec, tv.tv_usec * 1000};

	return ctl_deadline_rel(&ts);
}

static bool is_local(const struct sockaddr *addr)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)addr;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)addr;

	if (addr->sa_family == AF_INET)
		return ntohl(v4->sin_addr.s_addr) >> 24 == 127 || v4->sin_addr.s_addr == 0;
	if (addr->sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) || IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr);
	return true;
}

bool socket_is_here(const struct sockaddr *addr, socklen_t len, bool listens)
{
	const struct open_file *all = fd_network();
	const socklen_t path = offsetof(struct sockaddr_un, sun_path);
	const struct sockaddr_un *to = (const struct sockaddr_un *)addr;

	if (!addr || len <= path || to->sun_family != AF_UNIX || process_started)
		return false;
	for (int fd = fd_next(all, -1); fd >= 0; fd = fd_next(all, fd)) {
		struct sockaddr_un at = {0};
		socklen_t n = sizeof(at), size = sizeof(int);
		int on = 0;

		if (sys_call3(SYS_getsockname, fd, (long)&at, (long)&n) || at.sun_family != AF_UNIX || n <= path)
			continue;
		sys_call5(SYS_getsockopt, fd, SOL_SOCKET, SO_ACCEPTCONN, (long)&on, (long)&size);
		socklen_t to_size = len - path, at_size = n - path;

		if (to->sun_path[0]) { /* the name of a file may end before the address does */
			to_size = (socklen_t)strnlen(to->sun_path, to_size);
			at_size = (socklen_t)strnlen(at.sun_path, at_size < sizeof(at.sun_path) ? at_size : sizeof(at.sun_path));
		}
		bool same = to_size == at_size && !memcmp(to->sun_path, at.sun_path, to_size);

		if (same && (on || !listens))
			return true;
	}
	return false;
}

/* Connects to a Unix socket on which the program itself listens. The queue of the listener may be full. Returns 0 or -errno. */
static long connect_here(struct open_file *f, int fd, const struct sockaddr *addr, socklen_t len, const void *pc)
{
	uint64_t deadline = socket_deadline(fd, SO_SNDTIMEO);

	for (;;) {
		long flags = sys_fcntl(fd, F_GETFL, 0);

		sys_fcntl(fd, F_SETFL, flags | O_NONBLOCK);
		long r = sys_call3(SYS_connect, fd, (long)addr, len);

		sys_fcntl(fd, F_SETFL, flags);
		if (r != -EAGAIN)
			return r;
		if (deadline != OP_NO_DEADLINE) {
			own_files_unknown(fd, pc);
			world_advance(ctl_world, ctl_self(), deadline);
			return r;
		}
		if (!fd_await_change(f, pc))
			return -EINTR;
	}
}

/* A stream socket of the Unix domain has been connected. Notes if another process has called listen or connect at the
   other end. It may also be an earlier execution: an execution that uses sockets has a process of its own. */
static void look_at_peer(int fd, const void *pc)
{
	struct ucred peer = {0};
	socklen_t len = sizeof(peer);

	if (sys_call5(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, (long)&peer, (long)&len) ||
		peer.pid != sys_getpid())
		own_files_shared_socket(pc);
}

/* A connection on the loopback interface completes at once if the listener's queue has room. */
static int do_connect(int fd, const struct sockaddr *addr, socklen_t len, const void *pc)
{
	touch(fd, pc);
	if (addr && len >= sizeof(struct sockaddr_in) && !is_local(addr))
		fd_network()->external = true;
	struct open_file *f = fd_lookup(fd);
	bool here = f && !fd_nonblocking(fd) && socket_is_here(addr, len, true);
	long r = here ? connect_here(f, fd, addr, len, pc) : sys_call3(SYS_connect, fd, (long)addr, len);

	if (f && !r)
		look_at_peer(fd, pc);
	return r ? hook_fail((int)-r) : (int)fd_done(0);
}

int connect(int fd, const struct sockaddr *addr, socklen_t len)
{
	const void *pc = __builtin_return_address(0);

	return ctl_enter() ? WITH_DESCRIPTOR(fd, held, pc, do_connect(held, addr, len, pc)) : real_connect(fd, addr, len);
}

/* ---- waiting with the socket's own timeout ---- */

int socket_wait(struct open_file *f, int fd, short events, bool try, bool ordered, const void *pc)
{
	bool out = events & POLLOUT;
	struct fd_request req = {
		.kind = out ? EV_FD_WRITE : EV_FD_READ,
		.fd = fd,
		.events = events,
		.flags = try || fd_nonblocking(fd) ? FD_TRY : 0,
		.deadline = OP_NO_DEADLINE,
		.pc = pc,
	};

	if (!(req.flags & FD_TRY))
		req.deadline = socket_deadline(fd, out ? SO_SNDTIMEO : SO_RCVTIMEO);
	if (ordered && req.deadline == OP_NO_DEADLINE)
		req.flags |= FD_ORDERED;
	if (fd_perform(f, &req) == CTL_EINTR)
		return EINTR;
	struct pollfd p = {.fd = fd, .events = events};

	if (req.deadline == OP_NO_DEADLINE || sys_poll(&p, 1, 0) != 0)
		return 0;
	world_advance(ctl_world, ctl_self(), req.deadline);
	return EAGAIN;
}

bool socket_is_stream(int fd)
{
	int type = 0;
	socklen_t len = sizeof(type);

	return !sys_call5(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, (long)&type, (long)&len) &&
		type == SOCK_STREAM;
}

/* ---- accept ---- */

static int do_accept(int fd, struct sockaddr *addr, socklen_t *len, int flags, const void *pc)
{
	struct open_file *f = fd_lookup(fd);
	int err = f ? socket_wait(f, fd, POLLIN, false, true, pc) : 0;

	if (err)
		return hook_fail(err);
	int r = real_accept4(fd, addr, len, flags);

	if (r >= 0) {
		fd_assign(r, fd_network());
		look_at_peer(r, pc);
		r = descriptor_opened(r);
		descriptor_came(r, pc);
	}
	return (int)fd_done(r);
}

void peer_begin(struct peer *p, struct sockaddr *to, socklen_t *size, const void *pc)
{
	p->to = size ? to : NULL;
	p->to_size = size;
	if (!p->to)
		return;
	if (watched())
		range_read(size, sizeof(*size), (uintptr_t)pc);
	p->room = *size;
	p->size = (int)p->room > (int)sizeof(p->at) ? (socklen_t)sizeof(p->at) : p->room;
}

void peer_end(struct peer *p, const void *pc)
{
	socklen_t n = p->size < p->room ? p->size : p->room;

	if (!p->to)
		return;
	range_put(p->to, &p->at, n < sizeof(p->at) ? n : sizeof(p->at), (uintptr_t)pc);
	range_put(p->to_size, &p->size, sizeof(p->size), (uintptr_t)pc);
}

static int seen_accept(int fd, struct sockaddr *addr, socklen_t *len, int flags, const void *pc)
{
	struct peer p;

	peer_begin(&p, addr, len, pc);
	if (!ctl_enter())
		return real_accept4(fd, addr, len, flags);
	int r = WITH_DESCRIPTOR(fd, held, pc, do_accept(held, peer_address(&p), peer_size(&p), flags, pc));

	if (r >= 0)
		peer_end(&p, pc);
	return r;
}

int accept(int fd, struct sockaddr *restrict addr, socklen_t *restrict len)
{
	return seen_accept(fd, addr, len, 0, __builtin_return_address(0));
}

int accept4(int fd, struct sockaddr *restrict addr, socklen_t *restrict len, int flags)
{
	return seen_accept(fd, addr, len, flags, __builtin_return_address(0));
}

/* ---- the process at the other end ---- */

void socket_name_peer(struct ucred *peer)
{
	if (peer->pid == sys_getpid())
		peer->pid = process_pid();
}

int getsockopt(int fd, int level, int option, void *restrict value, socklen_t *restrict len)
{
	int r = real_getsockopt(fd, level, option, value, len);

	if (r == 0 && level == SOL_SOCKET && option == SO_PEERCRED && *len == sizeof(struct ucred) && ctl_enter()) {
		socket_name_peer(value);
		ctl_leave();
	}
	return r;
}
