/*
 * Runs a command as Docker's default profile lets it run: the system calls that its seccomp filter refuses are refused, and the
 * capabilities that it takes away are gone. Address randomisation cannot be switched off then.
 *
 *   container [--no-ptrace] [--no-prctl-mm] COMMAND ARGUMENT...
 *
 * --no-ptrace refuses ptrace as well, as hardened profiles do; --no-prctl-mm refuses PR_SET_MM, as a kernel without
 * CONFIG_CHECKPOINT_RESTORE does. Exit status 126 when that cannot be set up.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_LINES 256
#define NAMESPACES                                                                                                                        \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* Capabilities that containers keep: what chown, su, ping and the like need. */
static const unsigned kept[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FSETID, CAP_FOWNER, CAP_MKNOD, CAP_NET_RAW, CAP_SETGID, CAP_SETUID,
	CAP_SETFCAP, CAP_SETPCAP, CAP_NET_BIND_SERVICE, CAP_SYS_CHROOT, CAP_KILL, CAP_AUDIT_WRITE};

/* System calls that are refused whatever their arguments. */
static const int refused[] = {SYS_userfaultfd, SYS_bpf, SYS_perf_event_open, SYS_add_key, SYS_keyctl, SYS_request_key, SYS_kexec_load,
	SYS_kexec_file_load, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsmount, SYS_fsconfig,
	SYS_mount_setattr, SYS_setns, SYS_unshare, SYS_open_by_handle_at, SYS_move_pages, SYS_mbind, SYS_set_mempolicy, SYS_get_mempolicy,
	SYS_migrate_pages, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_iopl, SYS_ioperm, SYS_swapon, SYS_swapoff, SYS_reboot,
	SYS_acct, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_quotactl, SYS_nfsservctl, SYS_lookup_dcookie,
	SYS_vhangup, SYS_syslog, SYS_vmsplice, SYS_fanotify_init, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
	SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp};

/* personality: only with these. */
static const unsigned personalities[] = {0x0, 0x0008, 0x20000, 0x20008, 0xffffffff};

static struct sock_filter code[MAX_LINES];
static unsigned short lines;

static void line(struct sock_filter f)
{
	code[lines++] = f;
}

static void load(size_t offset)
{
	line((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void answer(unsigned what)
{
	line((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

/* What follows up to the end of `skip` lines is only for the value `k`. */
static void only_if(unsigned k, unsigned char skip)
{
	line((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, skip));
}

static void refuse(int number, int error)
{
	only_if((unsigned)number, 1);
	answer(SECCOMP_RET_ERRNO | (unsigned)error);
}

/* The call `number` with a first argument that has one of these bits. */
static void refuse_bits(int number, unsigned bits)
{
	only_if((unsigned)number, 4);
	load(offsetof(struct seccomp_data, args[0]));
	line((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
	answer(SECCOMP_RET_ERRNO | EPERM);
	answer(SECCOMP_RET_ALLOW);
}

static void refuse_personalities(void)
{
	unsigned char n = sizeof(personalities) / sizeof(*personalities);

	only_if(SYS_personality, (unsigned char)(1 + 2 * n + 1));
	load(offsetof(struct seccomp_data, args[0]));
	for (unsigned char i = 0; i < n; i++) {
		only_if(personalities[i], 1);
		answer(SECCOMP_RET_ALLOW);
	}
	answer(SECCOMP_RET_ERRNO | EPERM);
}

static void refuse_set_mm(void)
{
	only_if(SYS_prctl, 4);
	load(offsetof(struct seccomp_data, args[0]));
	only_if(PR_SET_MM, 1);
	answer(SECCOMP_RET_ERRNO | EINVAL);
	answer(SECCOMP_RET_ALLOW);
}

static void build_filter(bool no_ptrace, bool no_prctl_mm)
{
	load(offsetof(struct seccomp_data, arch));
	only_if(AUDIT_ARCH_X86_64, 1);
	load(offsetof(struct seccomp_data, nr)); /* other machines have no number in common with those below */
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		refuse(refused[i], EPERM);
	refuse(SYS_clone3, ENOSYS);
	if (no_ptrace)
		refuse(SYS_ptrace, EPERM);
	if (no_prctl_mm)
		refuse_set_mm();
	refuse_bits(SYS_clone, NAMESPACES);
	refuse_personalities();
	answer(SECCOMP_RET_ALLOW);
}

static bool is_kept(unsigned capability)
{
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (kept[i] == capability)
			return true;
	return false;
}

/* Root keeps those of a container; others have none anyway. */
static bool drop_capabilities(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return false;
	for (unsigned c = 0; c < 64; c++) {
		if (is_kept(c))
			continue;
		if (prctl(PR_CAPBSET_READ, c, 0, 0, 0) == 1 && prctl(PR_CAPBSET_DROP, c, 0, 0, 0) && geteuid() == 0)
			return false;
		data[c / 32].effective &= ~(1u << c % 32);
		data[c / 32].permitted &= ~(1u << c % 32);
		data[c / 32].inheritable &= ~(1u << c % 32);
	}
	return syscall(SYS_capset, &head, data) == 0;
}

int main(int argc, char **argv)
{
	struct sock_fprog program = {.filter = code};
	bool no_ptrace = false, no_prctl_mm = false;
	int i = 1;

	for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
		no_ptrace |= !strcmp(argv[i], "--no-ptrace");
		no_prctl_mm |= !strcmp(argv[i], "--no-prctl-mm");
	}
	if (i >= argc) {
		fprintf(stderr, "usage: container [--no-ptrace] [--no-prctl-mm] COMMAND ARGUMENT...\n");
		return 126;
	}
	build_filter(no_ptrace, no_prctl_mm);
	program.len = lines;
	if (!drop_capabilities() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)) {
		fprintf(stderr, "container: %s\n", strerror(errno));
		return 126;
	}
	execvp(argv[i], argv + i);
	fprintf(stderr, "container: %s: %s\n", argv[i], strerror(errno));
	return 126;
}
