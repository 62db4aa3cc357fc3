#include "preload/modules/sensors.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "base/base_name.h"
#include "base/check.h"
#include "base/registers.h"
#include "preload/control/ctl.h"
#include "preload/failure/stack.h"
#include "preload/modules/generated.h"
#include "preload/modules/library_locks.h"
#include "preload/modules/libstdcxx.h"
#include "preload/base/frames.h"
#include "preload/memory/footprint.h"
#include "preload/patch/lazy.h"
#include "preload/patch/patch.h"
#include "preload/base/outside.h"
#include "preload/base/sys.h"
#include "preload/modules/runtimes.h"
#include "preload/modules/task_library.h"
#include "preload/modules/unseen.h"
#include "preload/memory/lock_sites.h"
#include "preload/control/lock_ops.h"
#include "preload/control/whole_calls.h"
#include "preload/base/rules.h"

/* ---- reports ---- */

static struct session_sensors *sensors(void)
{
	return ctl_segment(ctl_session->layout.sensors_off);
}

static uint32_t latest_module; /* the module that was reported last */
static bool lazy_else; /* a debugger is there: without it, some libraries would be patched when they are reached */

static void report_module(void *ctx, const struct patch_module *m)
{
	struct session_sensors *s = sensors();
	uint32_t i = 0;
	frames_damaged |= m->damaged;
	while (i < s->modules && i < SESSION_MODULES && strcmp(s->module[i].path, m->path) != 0)
		i++; /* an earlier process may have reported the module */
	if (i == s->modules)
		s->modules++;
	latest_module = i;
	if (i >= SESSION_MODULES || m->functions < s->module[i].functions)
		return;
	struct session_module *to = &s->module[i];
	if (m->not_hooked || (m->refused[0] && !i))
		ctl_no_sections();
	memcpy(to->path, m->path, sizeof to->path);
	to->base = m->base;
	to->text_bytes = m->text_bytes;
	to->functions = m->functions;
	to->covered = m->covered;
	to->uncovered = m->uncovered;
	to->accesses = m->accesses;
	to->not_hooked = m->not_hooked;
	to->microseconds = m->microseconds;
	to->lazy = m->lazy && !m->refused[0];
	memcpy(to->refused, m->refused, sizeof to->refused);
}

static void report_hole(void *ctx, const struct patch_hole *h)
{
	struct session_sensors *s = sensors();
	ctl_no_sections();
	for (uint32_t i = 0; i < s->holes && i < SESSION_HOLES; i++)
		if (s->hole[i].addr == h->addr)
			return;
	uint32_t i = s->holes++;
	if (i < SESSION_HOLES) {
		s->hole[i].addr = h->addr;
		s->hole[i].module = h->lazy ? latest_module : s->modules;
		s->hole[i].reason = h->reason;
	}
}

static void report_stuck(void *ctx)
{
	INVARIANT(false, "patched code cannot be made executable again");
}

/* Records that a function of a library was patched at addr. Later processes patch it before they reach it. */
static void report_reached(void *ctx, uint64_t addr)
{
	struct session_sensors *s = sensors();
	uint32_t n = s->n_reached;
	rewind_taint_once("call functions of libraries that none called before");
	if (n >= SESSION_REACHED)
		return;
	s->reached[n] = addr;
	__atomic_store_n(&s->n_reached, n + 1, __ATOMIC_RELEASE); /* the zygote reads the list at any time */
}

/* Fences have no effect under sequential consistency. */
static struct patch_config how_to_patch(void)
{
	struct patch_config c = { .report = { .module = report_module, .hole = report_hole, .reached = report_reached, .stuck = report_stuck } };
	c.no_pause = true;
	if (ctl_session->config.settings.model == MODEL_TSO)
		c.fences = PATCH_FULL_FENCES;
	else if (ctl_session->config.settings.model == MODEL_PSO)
		c.fences = PATCH_RELEASE_FENCES;
	c.clock = ctl_clock_ticks;
	c.wanted = runtimes_wanted;
	c.waits = runtimes_waits;
	c.waits_named = runtimes_waits_named;
	c.acquires = lock_site_add;
	if (whole_calls_possible()) {
		c.whole = whole_call_is;
		c.slow_part = runtimes_slow_part;
		c.lock_op = lock_op_site;
		c.paired = lock_op_pair;
	}
	return c;
}

/* A module that is built with -fsanitize=thread calls functions for its accesses, but not for all (sensed.c).
   Compilers make no locked instruction and no fence of their own there. Static libraries may be built without it, such
   as Rust's std: their functions are patched. No report says which functions are not covered. */
static struct patch_config how_to_patch_instrumented(void)
{
	return (struct patch_config){
		.report = { .stuck = report_stuck }, .fences = PATCH_RELEASE_FENCES, .sensor = "__tsan_"};
}

/* ---- choosing ---- */

static const ElfW(Dyn) *dynamic_of(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	return NULL;
}

/* glibc writes the load address into the pointers of the dynamic section; other loaders may not. */
static const char *strings_of(const struct dl_phdr_info *info, const ElfW(Dyn) *d)
{
	uint64_t at = 0;
	for (; d && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_STRTAB)
			at = d->d_un.d_ptr;
	return (const char *)(at && at < info->dlpi_addr ? at + info->dlpi_addr : at);
}

/* Returns whether the module was compiled with -fsanitize=thread, so that it calls the sensor by itself. Then each of its files has a
   constructor that calls __tsan_init. A shared library need not list the runtime among the libraries that it needs. */
static bool is_instrumented(const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *d = dynamic_of(info);
	const char *strings = strings_of(info, d);
	uint64_t size = 0;
	for (; strings && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_STRSZ)
			size = d->d_un.d_val;
	for (uint64_t at = 0; at < size; at += strlen(strings + at) + 1)
		if (!strcmp(strings + at, "__tsan_init"))
			return true;
	return false;
}

static bool needs(const struct dl_phdr_info *info, const char *library)
{
	const ElfW(Dyn) *d = dynamic_of(info);
	const char *strings = strings_of(info, d);
	for (; strings && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_NEEDED && !strncmp(strings + d->d_un.d_val, library, strlen(library)))
			return true;
	return false;
}

struct chooser {
	char program[4096];  /* directory of the program, with the last slash */
	char runpath[4096];  /* RUNPATH of the program, with $ORIGIN replaced; directories separated by ':' */
	bool first;
	unsigned patched;    /* number of modules patched by this call */
	struct patch_config how;
};

static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) + 1 : 0;
}

static void append(char *to, size_t size, const char *from, size_t n)
{
	size_t at = strlen(to);
	if (n >= size - at)
		n = size - at - 1;
	memcpy(to + at, from, n);
	to[at + n] = 0;
}

static void read_runpath(struct chooser *c, const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *d = dynamic_of(info);
	const char *strings = strings_of(info, d);
	for (; strings && d->d_tag != DT_NULL; d++) {
		if (d->d_tag != DT_RUNPATH && d->d_tag != DT_RPATH)
			continue;
		for (const char *p = strings + d->d_un.d_val; *p;) {
			size_t skip = !strncmp(p, "$ORIGIN", 7) ? 7 : !strncmp(p, "${ORIGIN}", 9) ? 9 : 0;
			if (skip)
				append(c->runpath, sizeof c->runpath, c->program, strlen(c->program) - 1);
			else
				append(c->runpath, sizeof c->runpath, p, 1);
			p += skip ? skip : 1;
		}
		append(c->runpath, sizeof c->runpath, ":", 1);
	}
}

static bool is_system(const char *path)
{
	return !strncmp(path, "/lib", 4) || !strncmp(path, "/usr/lib", 8);
}

static bool in_runpath(const struct chooser *c, const char *path)
{
	char resolved[4096];
	for (const char *p = c->runpath; *p;) {
		size_t n = (size_t)(strchrnul(p, ':') - p);
		resolved[0] = 0;
		append(resolved, sizeof resolved, p, n);
		size_t length = strlen(resolved);
		while (length && resolved[length - 1] == '/')
			length--;
		if (length && !strncmp(path, resolved, length) && path[length] == '/' && !is_system(path))
			return true;
		p += n + (p[n] == ':');
	}
	return false;
}

/* Returns whether the user named the file with --patch. */
static bool is_named(const char *path)
{
	const char *p = ctl_segment(ctl_session->layout.patch_off), *end = p + ctl_session->layout.patch_size;
	for (; p < end && *p; p += strlen(p) + 1)
		if (!fnmatch(p, path, 0) || !fnmatch(p, base_name(path), 0))
			return true;
	return false;
}

/* Returns whether the file name matches one of these patterns. */
static bool is_among(const char *path, const char *const *name, unsigned n)
{
	for (unsigned i = 0; path && i < n; i++)
		if (!fnmatch(name[i], base_name(path), 0))
			return true;
	return false;
}

/*
 * Returns whether the library orders the program's threads by its own locked instructions, and calls functions that simul sees only when a
 * thread has to sleep. Under TSO and PSO it must be patched, because these instructions empty store buffers. Under SC patching it would
 * multiply the number of interleavings.
 */
static bool orders_threads(const char *path)
{
	static const char *const names[] = {"libgomp.so*", "libomp.so*", "libomp-[0-9]*.so*", "libiomp5.so*", "libtbb.so*",
		"libglib-2.0.so*", "libQt[56]Core.so*", "libboost_fiber.so*", "libabsl_synchronization.so*"};
	return is_among(path, names, sizeof names / sizeof *names);
}

/* Returns whether the module is libc or a part of it (hooks cover their calls), the unwinder, or a library that simul brings or uses. */
static bool is_runtime(const char *path)
{
	static const char *const names[] = {"libc.so*", "libc-[0-9]*.so", "ld-linux*.so*", "ld-[0-9]*.so", "libm.so*", "libm-[0-9]*.so", "libmvec.so*",
		"libpthread.so*", "libpthread-[0-9]*.so", "libdl.so*", "libdl-[0-9]*.so", "librt.so*", "librt-[0-9]*.so", "libutil.so*", "libanl.so*",
		"libresolv.so*", "libnss_*.so*", "libthread_db.so*", "libBrokenLocale.so*", "libc_malloc_debug.so*", "libgcc_s.so*", "libunwind*.so*",
		"linux-vdso*", "libsimul*.so", "libtsan.so*", "libclang_rt.tsan*", "libZydis.so*", "libZycore.so*"};
	return !path || !*path || is_among(path, names, sizeof names / sizeof *names);
}

/* simul cannot find out whether the code of this module is executed, so it reports that it is. */
static void unwatched(uint32_t module)
{
	sensors()->module[module].executed = 1;
	ctl_no_sections();
}

/* Watches the code of the module that was reported last and is not patched. The first execution of that code is then reported. */
static void watch(uint64_t code, uint64_t end)
{
	if (latest_module >= SESSION_MODULES)
		ctl_uncontrolled("memory accesses in more libraries than simul can describe");
	else if (!unseen_add(latest_module, code, end))
		unwatched(latest_module);
}

static void leave_unseen(const char *path, uint64_t base, uint64_t code, uint64_t code_end)
{
	struct patch_module m = { .base = base, .text_bytes = code_end - code };
	snprintf(m.path, sizeof m.path, "%s", path);
	const char *name = base_name(path), *end = strstr(name, ".so");
	snprintf(m.refused, sizeof m.refused, "it orders threads by instructions of its own (--patch '%.*s*' has it seen)",
		(int)strnlen(name, end ? (size_t)(end - name) + 3 : 60), name);
	report_module(NULL, &m);
	watch(code, code_end);
}

/* Returns whether the module at this address is new. Modules that were patched stay loaded. */
static bool is_new(uint64_t code)
{
	static uint64_t seen[SESSION_MODULES];
	static unsigned n;
	for (unsigned i = 0; i < n; i++)
		if (seen[i] == code)
			return false;
	if (n < SESSION_MODULES)
		seen[n++] = code;
	return true;
}

static bool is_chosen(const struct chooser *c, const char *path)
{
	if (!path || !*path)
		return false;
	bool beside = directory_length(path) == strlen(c->program) && !strncmp(path, c->program, strlen(c->program));
	return (beside && !is_system(path)) || in_runpath(c, path) || is_named(path);
}

/* Returns the file's absolute path. The program may have named the library relative to the working directory, or by a link. */
static const char *resolve(const char *path, char *buf, size_t size)
{
	char link[40] = "/proc/self/fd/";
	long fd = path && *path ? sys_open(path, O_PATH | O_CLOEXEC, 0) : -1;
	if (fd < 0)
		return path;
	snprintf(link + 14, sizeof link - 14, "%ld", fd);
	long n = sys_call3(SYS_readlink, (long)link, (long)buf, (long)size - 1);
	sys_close((int)fd);
	if (n <= 0)
		return path;
	buf[n] = 0;
	return buf;
}

static int patch_if_chosen(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct chooser *c = arg;
	char buf[4096];
	const char *path = info->dlpi_name;
	bool program = c->first;
	c->first = false;
	if (program)
		read_runpath(c, info);
	uint64_t code = 0, end = 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
			code = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			end = code + info->dlpi_phdr[i].p_memsz;
		}
	if (!code || stack_is_simul(code)) /* libsimul.so: it defines the functions that instrumented code calls */
		return 0;
	if (is_instrumented(info)) {
		bool clang = !needs(info, "libtsan.so");
		struct patch_config how = how_to_patch_instrumented();
		how.sensor_leaves_loads = clang;
		sensors()->tsan |= clang ? 3 : 1;
		if (is_new(code))
			c->patched += patch_module_at((const void *)code, &how);
		return 0;
	}
	if (!is_new(code))
		return 0;
	bool all = program || is_chosen(c, path) || is_chosen(c, resolve(path, buf, sizeof buf));
	if (!all && is_runtime(path))
		return 0;
	if (!all && orders_threads(path) && !c->how.fences) {
		task_library_look(path, code, end);
		c->patched += library_locks_see(path, info->dlpi_addr, code, end, &c->how);
		leave_unseen(path, info->dlpi_addr, code, end); /* after patching, which makes code executable */
		return 0;
	}
	bool now = all || ctl_session->config.debug != DEBUGGED_BY_NOBODY; /* a debugger reads the code only once */
	runtimes_read(program ? "/proc/self/exe" : path, info->dlpi_addr);
	bool patched = now ? patch_module_at((const void *)code, &c->how) : lazy_add((const void *)code, &c->how);
	lazy_else |= patched && now && !all;
	if (!patched && !program)
		watch(code, end);
	c->patched += patched;
	return 0;
}

/* ---- libraries that simul loads for itself ---- */

struct counted {
	unsigned n, from;
};

static int count_or_skip(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct counted *c = arg;
	if (c->n++ < c->from)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X))
			is_new(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	return 0;
}

static unsigned before_own;

void sensors_own_begin(void)
{
	struct counted c = { .from = UINT_MAX };
	dl_iterate_phdr(count_or_skip, &c);
	before_own = c.n;
}

void sensors_own_end(void)
{
	struct counted c = { .from = before_own };
	dl_iterate_phdr(count_or_skip, &c);
}

static unsigned patch_all(void)
{
	struct chooser c = { .first = true };
	long n = sys_call3(SYS_readlink, (long)"/proc/self/exe", (long)c.program, sizeof c.program - 1);
	c.program[n > 0 ? n : 0] = 0;
	c.program[directory_length(c.program)] = 0;
	c.how = how_to_patch();
	dl_iterate_phdr(patch_if_chosen, &c);
	if (!lazy_any())
		patch_done();
	return c.patched;
}

void sensors_init(void)
{
	if (ctl_session->config.settings.patch)
		patch_all();
	else
		ctl_no_sections();
}

bool sensors_loaded(void)
{
	return ctl_session->config.settings.patch && patch_all();
}

/* ---- libraries that are patched when they are reached ---- */

void sensors_main(void)
{
	if ((!lazy_any() && !lazy_else) || ctl_past_checkpoint)
		return;
	int inside = ctl_inside;
	ctl_inside = 1; /* blocks that the loader allocates must not change the addresses of the program's blocks */
	bool there = libstdcxx_find();
	ctl_inside = inside;
	if (there)
		libstdcxx_settle();
}

void sensors_close(void)
{
	if (!ctl_session->config.settings.patch)
		return;
	generated_begin();
	lazy_close();
	unseen_close(unwatched);
	sensors_catch_up();
}

void sensors_catch_up(void)
{
	static uint32_t done;
	const struct session_sensors *s = sensors();
	uint32_t n = __atomic_load_n(&s->n_reached, __ATOMIC_ACQUIRE);
	for (; done < n && done < SESSION_REACHED; done++)
		lazy_reach(s->reached[done]);
	for (uint32_t i = 0; i < s->modules && i < SESSION_MODULES; i++)
		if (s->module[i].executed)
			unseen_known(i);
}

/* Returns whether no other thread lives. */
static bool alone(void)
{
	return world_live_threads(ctl_world) < 2;
}

bool sensors_fault(ucontext_t *uc, uint64_t addr)
{
	uint32_t module;
	if (!context_fetched(uc))
		return false;
	if (lazy_fault(uc, addr))
		return true;
	if (!unseen_fault(addr, alone(), &module))
		return false;
	footprint_never(); /* later calls go unnoticed in this execution */
	if (module < SESSION_MODULES) {
		struct session_module *m = &sensors()->module[module];
		m->first = m->executed ? m->first : context_pc(uc);
		m->executed = 1;
		ctl_no_sections();
		rewind_taint_once("call libraries that none called before");
	}
	return true;
}

void sensors_again(void)
{
	unseen_again(unwatched);
}

void sensors_release(void)
{
	lazy_release();
	unseen_release();
}
