/*
 * Finds out which calls of the installed libc execute a locked instruction, by single steps, and compares that with sched/event_kinds.def: a kind
 * without K_BUFFER stands for a call that executes one. Prints a line for each call, and exits with 1 if one differs.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sched/event_kind.h"

static const uint16_t flags_of[EV_COUNT] = {
#define EVENT(name, text, object, mode, mode2, waits, other, outcome, seq, result, bits, round, enforce, flags) [EV_##name] = flags,
#include "sched/event_kinds.def"
};

/* ---- the calls ---- */

static pthread_mutex_t m, mine, recursive, check, own_check, dead, locked;
static pthread_cond_t c, waited, dead_c;
static sem_t s, empty, dead_s;
static pthread_rwlock_t rw, read_locked, write_locked, dead_rw;
static pthread_spinlock_t spin, taken, dead_spin;
static pthread_barrier_t barrier, dead_barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT, fresh_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t waiter_mutex = PTHREAD_MUTEX_INITIALIZER;
static int waiting, value;
static const struct timespec past;

static void nothing(void) {}

/* CALL(words, kind of event, the call) */
#define CALLS \
	CALL("pthread_mutex_init", MUTEX_INIT, pthread_mutex_init(&dead, 0)) \
	CALL("pthread_mutex_destroy", MUTEX_DESTROY, pthread_mutex_destroy(&dead)) \
	CALL("pthread_mutex_lock", MUTEX_LOCK, pthread_mutex_lock(&m)) \
	CALL("pthread_mutex_unlock", MUTEX_UNLOCK, pthread_mutex_unlock(&m)) \
	CALL("pthread_mutex_trylock", MUTEX_TRYLOCK, pthread_mutex_trylock(&m)) \
	CALL("pthread_mutex_trylock, EBUSY", MUTEX_LOOK, pthread_mutex_trylock(&locked)) \
	CALL("pthread_mutex_timedlock, it is locked", MUTEX_TRYLOCK, pthread_mutex_timedlock(&locked, &past)) \
	CALL("pthread_mutex_lock, recursive", MUTEX_LOCK, pthread_mutex_lock(&recursive)) \
	CALL("pthread_mutex_lock, recursive, again", MUTEX_RELOCK, pthread_mutex_lock(&recursive)) \
	CALL("pthread_mutex_trylock, recursive, again", MUTEX_RELOCK, pthread_mutex_trylock(&recursive)) \
	CALL("pthread_mutex_timedlock, recursive, again", MUTEX_RELOCK, pthread_mutex_timedlock(&recursive, &past)) \
	CALL("pthread_mutex_unlock, recursive, inner", MUTEX_UNNEST, pthread_mutex_unlock(&recursive)) \
	CALL("pthread_mutex_unlock, EPERM", MUTEX_UNNEST, pthread_mutex_unlock(&check)) \
	CALL("pthread_mutex_lock, EDEADLK", MUTEX_RELOCK, pthread_mutex_lock(&own_check)) \
	CALL("pthread_mutex_timedlock, EDEADLK", MUTEX_RELOCK, pthread_mutex_timedlock(&own_check, &past)) \
	CALL("pthread_mutex_trylock, error-checking, it is held", MUTEX_LOOK, pthread_mutex_trylock(&own_check)) \
	CALL("pthread_cond_init", COND_INIT, pthread_cond_init(&dead_c, 0)) \
	CALL("pthread_cond_destroy", COND_DESTROY, pthread_cond_destroy(&dead_c)) \
	CALL("pthread_cond_signal, no thread waits", COND_LOOK, pthread_cond_signal(&c)) \
	CALL("pthread_cond_broadcast, no thread waits", COND_LOOK, pthread_cond_broadcast(&c)) \
	CALL("pthread_cond_signal, a thread waits", COND_SIGNAL, pthread_cond_signal(&waited)) \
	CALL("sem_init", SEM_INIT, sem_init(&dead_s, 0, 0)) \
	CALL("sem_destroy", SEM_DESTROY, sem_destroy(&dead_s)) \
	CALL("sem_post", SEM_POST, sem_post(&s)) \
	CALL("sem_wait", SEM_WAIT, sem_wait(&s)) \
	CALL("sem_getvalue", SEM_GETVALUE, sem_getvalue(&s, &value)) \
	CALL("sem_trywait", SEM_TRYWAIT, sem_trywait(&s)) \
	CALL("sem_trywait, EAGAIN", SEM_GETVALUE, sem_trywait(&empty)) \
	CALL("sem_timedwait, ETIMEDOUT", SEM_TRYWAIT, sem_timedwait(&empty, &past)) \
	CALL("pthread_rwlock_init", RW_INIT, pthread_rwlock_init(&dead_rw, 0)) \
	CALL("pthread_rwlock_destroy", RW_DESTROY, pthread_rwlock_destroy(&dead_rw)) \
	CALL("pthread_rwlock_rdlock", RW_RDLOCK, pthread_rwlock_rdlock(&rw)) \
	CALL("pthread_rwlock_unlock, for reading", RW_RDUNLOCK, pthread_rwlock_unlock(&rw)) \
	CALL("pthread_rwlock_wrlock", RW_WRLOCK, pthread_rwlock_wrlock(&rw)) \
	CALL("pthread_rwlock_rdlock, EDEADLK", RW_LOOK, pthread_rwlock_rdlock(&rw)) \
	CALL("pthread_rwlock_wrlock, EDEADLK", RW_LOOK, pthread_rwlock_wrlock(&rw)) \
	CALL("pthread_rwlock_unlock, for writing", RW_WRUNLOCK, pthread_rwlock_unlock(&rw)) \
	CALL("pthread_rwlock_tryrdlock", RW_TRYRDLOCK, pthread_rwlock_tryrdlock(&rw)) \
	CALL("pthread_rwlock_trywrlock, EBUSY", RW_LOOK, pthread_rwlock_trywrlock(&read_locked)) \
	CALL("pthread_rwlock_tryrdlock, EBUSY", RW_LOOK, pthread_rwlock_tryrdlock(&write_locked)) \
	CALL("pthread_rwlock_timedwrlock, ETIMEDOUT", RW_TRYWRLOCK, pthread_rwlock_timedwrlock(&read_locked, &past)) \
	CALL("pthread_spin_init", SPIN_INIT, pthread_spin_init(&dead_spin, 0)) \
	CALL("pthread_spin_destroy", SPIN_DESTROY, pthread_spin_destroy(&dead_spin)) \
	CALL("pthread_spin_lock", SPIN_LOCK, pthread_spin_lock(&spin)) \
	CALL("pthread_spin_trylock, EBUSY", SPIN_TRYLOCK, pthread_spin_trylock(&taken)) \
	CALL("pthread_spin_unlock", SPIN_UNLOCK, pthread_spin_unlock(&spin)) \
	CALL("pthread_barrier_init", BARRIER_INIT, pthread_barrier_init(&dead_barrier, 0, 1)) \
	CALL("pthread_barrier_destroy", BARRIER_DESTROY, pthread_barrier_destroy(&dead_barrier)) \
	CALL("pthread_barrier_wait", BARRIER_ARRIVE, pthread_barrier_wait(&barrier)) \
	CALL("pthread_once", ONCE_ENTER, pthread_once(&fresh_once, nothing)) \
	CALL("pthread_once, it is done", ONCE_LOOK, pthread_once(&once, nothing)) \
	CALL("pthread_testcancel", TESTCANCEL, pthread_testcancel())

/* simul treats these as fences though they are none, and its verdict says so. */
static const uint8_t known[] = { EV_SPIN_UNLOCK };

static const struct {
	const char *words;
	enum event_kind kind;
} calls[] = {
#define CALL(words, kind, call) { words, EV_##kind },
	CALLS
#undef CALL
};
#define N_CALLS (sizeof calls / sizeof *calls)

static void *other(void *arg)
{
	pthread_mutex_lock(&locked);
	pthread_rwlock_wrlock(&write_locked);
	pthread_mutex_lock(&waiter_mutex);
	for (;;) {
		waiting = 1;
		pthread_cond_wait(&waited, &waiter_mutex);
	}
	return arg;
}

/* Returns when the other thread waits for the condition. */
static void let_it_wait(void)
{
	for (int ready = 0; !ready;) {
		pthread_mutex_lock(&waiter_mutex);
		ready = waiting;
		waiting = 0;
		pthread_mutex_unlock(&waiter_mutex);
	}
}

static void typed(pthread_mutex_t *mutex, int type)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type);
	pthread_mutex_init(mutex, &a);
}

/* Makes each call between two breakpoints. libc must know of a second thread: alone it leaves out locked instructions. */
static void child(void)
{
	pthread_t t;
	pthread_mutex_init(&m, 0);
	pthread_mutex_init(&locked, 0);
	pthread_mutex_init(&mine, 0);
	typed(&recursive, PTHREAD_MUTEX_RECURSIVE);
	typed(&check, PTHREAD_MUTEX_ERRORCHECK);
	typed(&own_check, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_lock(&own_check);
	pthread_cond_init(&c, 0);
	pthread_cond_init(&waited, 0);
	sem_init(&s, 0, 1);
	sem_init(&empty, 0, 0);
	pthread_rwlock_init(&rw, 0);
	pthread_rwlock_init(&read_locked, 0);
	pthread_rwlock_init(&write_locked, 0);
	pthread_rwlock_rdlock(&read_locked);
	pthread_spin_init(&spin, 0);
	pthread_spin_init(&taken, 0);
	pthread_spin_lock(&taken);
	pthread_barrier_init(&barrier, 0, 1);
	pthread_once(&once, nothing);
	pthread_create(&t, 0, other, 0);
	let_it_wait();
	for (int again = 0; again < 2; again++) { /* the first time the dynamic linker binds the functions; only the second time counts */
		if (again)
			pthread_mutex_unlock(&m); /* the trylock of the first time */
		if (again) { /* undo what the calls left locked */
			while (!pthread_mutex_unlock(&recursive))
				;
			pthread_rwlock_unlock(&rw);
			sem_post(&s);
			sem_post(&s);
			fresh_once = PTHREAD_ONCE_INIT;
		} else {
			sem_post(&s);
			sem_post(&s);
		}
#define CALL(words, kind, call) \
	if (again) \
		__asm__ volatile("int3"); \
	(void)call; \
	if (again) \
		__asm__ volatile("int3");
		if (!again) {
			CALLS
			let_it_wait();
			continue;
		}
		CALLS
#undef CALL
	}
	_exit(0);
}

/* ---- the steps ---- */

/* Returns whether the instruction at `code` waits for an empty store buffer: a lock prefix, xchg with memory, mfence. */
static int is_fence(const uint8_t *code)
{
	const uint8_t *p = code;
	while (*p == 0x66 || *p == 0xf2 || *p == 0xf3 || *p == 0x2e || *p == 0x3e || *p == 0x64 || *p == 0x65 || *p == 0xf0)
		if (*p++ == 0xf0)
			return 1;
	if ((*p & 0xf0) == 0x40)
		p++;
	if (*p == 0x86 || *p == 0x87)
		return p[1] < 0xc0;
	return p[0] == 0x0f && p[1] == 0xae && p[2] == 0xf0;
}

static int step(pid_t pid, int request, struct user_regs_struct *r)
{
	int status;
	if (ptrace(request, pid, 0, 0) < 0 || waitpid(pid, &status, __WALL) < 0 || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
		return -1;
	return ptrace(PTRACE_GETREGS, pid, 0, r) < 0 ? -1 : 0;
}

int main(void)
{
	unsigned differ = 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	pid_t pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGTRAP);
		child();
	}
	int status;
	struct user_regs_struct r;
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status)) {
		puts("ptrace is not possible here");
		return 77;
	}
	for (size_t i = 0; i < N_CALLS; i++) {
		uint8_t code[16];
		int fence = 0, is_known = 0, syscalls = 0;
		if (step(pid, PTRACE_CONT, &r) < 0)
			goto failed;
		for (;;) {
			for (int k = 0; k < 2; k++) {
				long word = ptrace(PTRACE_PEEKTEXT, pid, r.rip + 8u * (unsigned)k, 0);
				memcpy(code + 8 * k, &word, 8);
			}
			if (code[0] == 0xcc)
				break;
			fence |= is_fence(code);
			syscalls |= code[0] == 0x0f && code[1] == 0x05;
			if (step(pid, PTRACE_SINGLESTEP, &r) < 0)
				goto failed;
		}
		if (step(pid, PTRACE_CONT, &r) < 0) /* the breakpoint after the call */
			goto failed;
		for (size_t k = 0; k < sizeof known; k++)
			is_known |= known[k] == calls[i].kind;
		int expected = !(flags_of[calls[i].kind] & K_BUFFER);
		int wrong = is_known ? fence : fence != expected && !(expected && syscalls);
		printf("%s %s: %s\n", wrong ? "DIFFERS" : "ok", calls[i].words, fence ? "locked instruction" : syscalls ? "system call" : "none");
		differ += (unsigned)wrong;
	}
	ptrace(PTRACE_KILL, pid, 0, 0);
	printf("%zu calls, %u differ\n", N_CALLS, differ);
	return differ != 0;
failed:
	printf("the traced process ended: %s\n", strerror(errno));
	kill(pid, SIGKILL);
	return 2;
}
