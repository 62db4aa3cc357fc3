/*
 * How control begins: the constructor of libsimul.so, and a frame around main that pthread_exit can unwind to.
 *
 * simul controls one process, the one that the supervisor started. The session has its pid. Control survives exec, so simul follows a shell
 * script or a libtool wrapper to the real test. Other processes inherit the library, but its hooks are passive there.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/fixed_start.h"
#include "base/processor.h"
#include "base/session_note.h"
#include "explore/explore.h"
#include "preload/control/ctl.h"
#include "preload/control/ctl_start.h"
#include "preload/control/fiber.h"
#include "preload/control/step_loop.h"
#include "preload/failure/debug.h"
#include "preload/accesses/mem.h"
#include "preload/base/outside.h"
#include "preload/base/dispatch.h"
#include "preload/cooperative/pth.h"
#include "preload/cooperative/systemc.h"
#include "preload/cooperative/systemc_labels.h"
#include "preload/base/guard.h"
#include "preload/failure/stack.h"
#include "preload/hooks/context.h"
#include "preload/hooks/cancel.h"
#include "preload/hooks/exit.h"
#include "preload/hooks/futex.h"
#include "preload/hooks/keys.h"
#include "preload/hooks/malloc.h"
#include "preload/hooks/threads.h"
#include "preload/kernel/resources.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/shared_memory.h"
#include "preload/life/crash.h"
#include "preload/life/rewind.h"
#include "preload/life/run.h"
#include "preload/life/warm_up.h"
#include "preload/life/what_if.h"
#include "preload/patch/patch.h"
#include "preload/base/real.h"
#include "preload/modules/sensors.h"
#include "preload/life/worker.h"
#include "preload/memory/shadow.h"
#include "preload/kernel/signals.h"
#include "preload/kernel/task_order.h"
#include "preload/base/sys.h"
#include "preload/libc/accesses.h"
#include "preload/failure/unwinder.h"
#include "preload/hooks/environment_reads.h"
#include "replay/forced.h"
#include "preload/base/rules.h"

static const struct session_note version_note __attribute__((section(SESSION_NOTE_SECTION), used, aligned(4))) = {
	sizeof SESSION_NOTE_NAME, sizeof(uint32_t), SESSION_NOTE_TYPE, SESSION_NOTE_NAME, SESSION_VERSION};

static int (*program_main)(int, char **, char **);

/* Maps the session segment that the environment names. Returns NULL when there is none, or when it is of another
   version: the supervisor has looked at version_note, so this library was put in the place of the one that it saw, or a
   native child has another one. */
static struct session *map_session(void)
{
	const char *text = real_getenv(SESSION_ENV);
	struct stat st;
	if (!text)
		return NULL;
	int fd = atoi(text);
	if (sys_call2(SYS_fstat, fd, (long)&st) || (size_t)st.st_size < sizeof(struct session))
		return NULL;
	struct session *s = sys_mmap(SYS_AWAY(128), (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (sys_failed((long)s))
		return NULL;
	if (s->magic != SESSION_MAGIC || s->version != SESSION_VERSION ||
		s->header_size != sizeof(struct session) || s->layout.size != (uint64_t)st.st_size) {
		sys_munmap(s, (size_t)st.st_size);
		return NULL;
	}
	ctl_session_fd = fd;
	return s->layout.common_size ? worker_map(s, fd) : s;
}

/* Returns whether addresses differ from run to run. They are fixed if the supervisor has placed the memory (cli/target/place.h), or if the
   kernel was asked not to randomise them. */
static bool is_randomised(void)
{
	static const unsigned char fixed[FIXED_START_BYTES] = FIXED_START;
	const void *start = (const void *)getauxval(AT_RANDOM);
	if (start && !memcmp(start, fixed, sizeof fixed))
		return false;
	return !(sys_call1(SYS_personality, 0xffffffff) & ADDR_NO_RANDOMIZE);
}

static bool attach_strategy(void)
{
	struct session *s = ctl_session;
	if (s->config.mode != MODE_EXPLORE)
		return forced_attach(s, &run_strategy);
	return explore_attach(ctl_segment(s->layout.explore_off), s->layout.explore_size, &run_strategy);
}

/* Ends the execution. It is registered before every other exit handler, so it runs after all of them. */
static void at_exit(int status, void *arg)
{
	if (ctl_state != CTL_ON)
		return;
	ctl_force_enter();
	exit_flush();
	if (!world_live_threads(ctl_world))
		run_over(RUN_OK); /* the last thread ended by pthread_exit or return */
	ctl_exit(status);
}

/* Fills in `operations`: functions of higher rooms of preload/ that lower rooms call. */
static void connect_rooms(void)
{
	operations = (struct operations){
		.append = ctl_append,
		.opaque = ctl_call_opaque,
		.access = mem_perform_inside,
		.original_pc = patch_original,
		.code_tables = patch_tables,
		.ready = fd_ready,
		.waits = fd_would_wait,
		.wait_external = fd_wait_external,
		.awaits_process = fd_awaits_process,
		.run_signals = signals_run_pending,
		.returning = signals_returning,
		.may_be_woken = shared_may_be_woken,
		.checkpoint = run_checkpoint,
		.over = run_over,
		.without_threads = run_without_threads,
		.hand_over = run_hand_over,
		.news = warm_up_news,
		.what_if = what_if,
		.what_if_access = what_if_access,
		.what_if_op = what_if_op,
		.snapshot = run_look,
		.may_move = rewind_may_move,
		.discards = rewind_discards,
		.fatal_signal = crash_signal,
		.failing = systemc_failing,
		.futex_matches = futex_word_matches,
		.other_stack = context_other_stack,
		.thread_end = thread_end,
		.thread_begins = task_order_after,
	};
}

static void __attribute__((constructor(101))) start(void)
{
	int saved_inside = ctl_inside;
	ctl_inside = 1;
	real_init();
	connect_rooms();
	struct session *s = map_session();
	if (!s || s->ctl.requests.main_pid != sys_getpid()) {
		ctl_session = s; /* a native child of the target records in the session what it does */
		if (s)
			guard_native(s);
		keys_become_native();
		ctl_inside = saved_inside;
		return;
	}
	ctl_session = s;
	reads_begin();
	guard_session(s, offsetof(struct session, ctl));
	guard_add(s, s->layout.size + s->layout.common_size);
	guard_add_variables();
	s->ctl.facts.randomised = is_randomised();
	debug_init();
	sensors_own_begin();
	stack_init();
	sensors_own_end();
	if (!attach_strategy())
		ctl_refuse("the search state in the session is of another version of simul");
	worker_attach();
	ctl_attach_trace();
	run_adopt();
	ctl_start();
	signals_adopt();
	crash_init();
	exit_init();
	sensors_init(); /* before shadow_init: patched code must lie near the original code, and the shadow would take all free room near it */
	if (s->config.describe_only)
		run_described();
	shadow_init();
	libc_init();
	resources_init();
	dispatch_init();
	ctl_selector = &fiber_first->selector;
	dispatch_on(ctl_selector);
	if (on_exit(at_exit, NULL))
		ctl_refuse("cannot register an exit handler");
	unwinder_ready();
	cancel_init();
	systemc_init();
	pth_find();
	heap_begin();
	threads_refuse_earlier();
	debug_stop(DEBUG_READY, NO_THREAD);
	ctl_state = CTL_ON;
	guard_seal();
	ctl_leave();
}

/* Runs main in a frame that pthread_exit can unwind to. */
static int controlled_main(int argc, char **argv, char **envp)
{
	__pthread_unwind_buf_t buf;
	if (unwind_target(buf.__cancel_jmp_buf, 0) == 0) {
		__pthread_register_cancel(&buf);
		const uint64_t arg[3] = { (uint64_t)argc, (uintptr_t)argv, (uintptr_t)envp };
		sensors_main();
		int status = (int)fiber_call_clean((const void *)program_main, arg, &fiber_first->stack.own_hi);
		__pthread_unregister_cancel(&buf);
		return status;
	}
	thread_end(fiber_first); /* main called pthread_exit: the other threads continue */
}

/* Sets the guard value of the stack protector to a constant. The kernel chooses it at random, and equal stacks would then look different in
   different processes. No frame with a guard is active here, and threads inherit the value. */
static void fix_stack_guard(void)
{
	processor_set_stack_guard(UINT64_C(0x5a17e8c3b42d9600));
}

/* glibc calls exit with the result of main. Of all exit handlers, at_exit above runs last. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	real_init();
	program_main = main;
	if (ctl_state == CTL_ON)
		fix_stack_guard();
	return real___libc_start_main(ctl_state == CTL_ON ? controlled_main : main, argc, argv, init, fini,
		rtld_fini, stack_end);
}
