/* Prints the doctor's findings as text. */
#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "cli/doctor/doctor.h"
#include "preload/base/page_watch.h"

#define NAMED 10 /* functions listed without --all */

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void report_sensors(const struct doctor *d)
{
	FILE *f = d->human;
	uint32_t patched = 0;

	for (uint32_t i = 0; i < doctor_modules(d); i++)
		patched += !d->sensors->module[i].refused[0] && !d->sensors->module[i].lazy;
	fprintf(f, "  library calls      yes: linked with the shared libc; threads, locks, waiting and input/output are controlled\n");
	if (doctor_tsan(d))
		fprintf(f, "  -fsanitize=thread  yes: accesses are seen with their C11 memory orders; simul replaces %s\n",
			d->target.standins & 1 ? "gcc's run-time library" : "clang's run-time library");
	else
		fprintf(f, "  -fsanitize=thread  no: not compiled with it\n");
	if (patched)
		fprintf(f, "  patching           yes: accesses of ordinary code are seen\n");
	else if (doctor_tsan(d))
		fprintf(f, "  patching           not needed\n");
	else
		fprintf(f, "  patching           NO%s: accesses are not seen; every order of library calls is still tried\n",
			d->target.sanitized ? ", since AddressSanitizer's runtime would be explored too" : "");
}

static void report_addresses(const struct doctor *d)
{
	fprintf(d->human, "  addresses          ");
	if (!d->unplaced[0])
		fprintf(d->human, "fixed; recordings replay with and without address randomisation\n");
	else if (!d->randomised)
		fprintf(d->human, "chosen by the kernel, without randomisation; they cannot be fixed: %s\n", d->unplaced);
	else
		fprintf(d->human, "RANDOM: address randomisation cannot be disabled here, and addresses cannot be fixed: %s; replays may "
			"diverge\n", d->unplaced);
}

static void report_modules(const struct doctor *d)
{
	if (!doctor_modules(d))
		return;
	fprintf(d->human, "\n%-28s %10s %10s %10s %10s %8s\n", "patched", "functions", "covered", "accesses", "not seen", "ms");
	for (uint32_t i = 0; i < doctor_modules(d); i++) {
		const struct session_module *m = &d->sensors->module[i];

		if (m->refused[0])
			fprintf(d->human, "  %-26s not patched: %s\n", doctor_module_name(d, i), m->refused);
		else if (m->lazy)
			fprintf(d->human, "  %-26s each function is patched when a thread first calls it\n", doctor_module_name(d, i));
		else
			fprintf(d->human, "  %-26s %10u %10u %10u %10u %8.1f\n", doctor_module_name(d, i), m->functions, m->covered,
				m->accesses, m->not_hooked, m->microseconds / 1000.0);
	}
	if (d->sensors->modules > doctor_modules(d))
		fprintf(d->human, "  and %u more\n", d->sensors->modules - doctor_modules(d));
}

static void report_holes(const struct doctor *d)
{
	size_t shown = d->opt.all || d->n_holes <= NAMED ? d->n_holes : NAMED;

	if (!d->sensors->holes)
		return;
	fprintf(d->human, "\nnot covered: the accesses of %u function%s are not seen\n", d->sensors->holes,
		plural(d->sensors->holes));
	for (size_t i = 0; i < shown; i++) {
		const struct doctor_hole *h = &d->hole[i];

		if (h->name)
			fprintf(d->human, "  %-34s %s: %s\n", h->name, h->module, h->reason);
		else
			fprintf(d->human, "  %s+0x%-30" PRIx64 " %s\n", h->module, h->offset, h->reason);
	}
	if (shown < d->n_holes)
		fprintf(d->human, "  and %zu more (--all shows them)\n", d->n_holes - shown);
	if (d->n_holes < d->sensors->holes)
		fprintf(d->human, "  and %zu more\n", d->sensors->holes - d->n_holes);
}

static void report_bare(const struct doctor *d)
{
	size_t n = d->facts.bare, shown = d->opt.all || n <= NAMED ? n : NAMED;

	if (!n || !doctor_modules(d))
		return;
	fprintf(d->human, "\nwithout unwind information: the accesses of %zu function%s are not seen\n ", n, plural(n));
	for (size_t i = 0; i < shown; i++)
		fprintf(d->human, " %s", d->facts.bare_name[i]);
	if (shown < n)
		fprintf(d->human, " and %zu more (--all shows them)", n - shown);
	fprintf(d->human, "\n");
}

static bool is_libc(const char *name)
{
	return !strcmp(name, "libc.so") || !strcmp(name, "libpthread.so") || !strcmp(name, "libdl.so") ||
	       !strcmp(name, "librt.so");
}

static void report_missed(const struct doctor *d)
{
	uint64_t instructions = 0;
	const char *some = NULL;
	FILE *f = d->human;

	for (uint32_t i = 0; i < doctor_modules(d); i++)
		instructions += d->sensors->module[i].not_hooked;
	fprintf(f, "\nnot seen\n");
	if (!doctor_sees_accesses(d))
		fprintf(f, "  - memory accesses: errors between two library calls are found only by chance\n");
	fprintf(f, "  - accesses inside libc functions, except those of memcpy, strlen and related functions\n");
	for (size_t i = 0; i < d->n_unseen; i++) {
		if (is_libc(d->unseen[i]))
			continue;
		fprintf(f, "%s%s", some ? ", " : "  - accesses in ", d->unseen[i]);
		some = d->unseen[i];
	}
	if (some)
		fprintf(f, " (--patch '%s*' patches one)\n", some);
	if (instructions)
		fprintf(f, "  - the accesses of %" PRIu64 " instruction%s, such as vector gathers and scatters\n", instructions,
			plural(instructions));
	if (doctor_modules(d))
		fprintf(f, "  - thread-local variables, even if another thread accesses them through a pointer\n"
			   "  - code that is generated or modified at run time\n");
}

static void report_exceptions(const struct doctor *d)
{
	static const char *const words[] = {
#define EXCEPTION(name, words) words,
#include "base/exceptions.def"
#undef EXCEPTION
	};

	fprintf(d->human, "\nnamed by the verdict if a program with several threads has them\n");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		fprintf(d->human, "  - %s\n", words[i]);
}

static void report_advice(const struct doctor *d)
{
	FILE *f = d->human;

	bool scan = watch_possible();

	if (d->facts.debug_info && doctor_tsan(d) && !d->facts.bare && scan)
		return;
	fprintf(f, "\nsuggestions\n");
	if (!d->facts.debug_info)
		fprintf(f, "  - no debugging information: build with -g to see source lines and variables in reports\n");
	if (!doctor_tsan(d))
		fprintf(f, "  - build with -fsanitize=thread (clang: also -shared-libsan) to let simul see C11 memory orders and which accesses are "
			"atomic\n");
	if (!scan)
		fprintf(f, "  - the kernel does not report which pages were written (this needs userfaultfd and PAGEMAP_SCAN, Linux 6.7; a sandbox "
			"may forbid it): programs with megabytes of memory, little of it changed by an execution, run slower\n");
	if (d->facts.bare && doctor_modules(d))
		fprintf(f, "  - add .cfi_startproc and .cfi_endproc to hand-written assembly; build C with -fasynchronous-unwind-tables\n");
}

void doctor_report(struct doctor *d)
{
	FILE *out = d->human;

	d->human = printable_stream(out);
	fprintf(d->human, "%s: simul can run it\n", d->target.argv[0]);
	report_sensors(d);
	report_addresses(d);
	report_modules(d);
	report_holes(d);
	report_bare(d);
	report_missed(d);
	report_exceptions(d);
	report_advice(d);
	if (d->short_run)
		doctor_run_report(d);
	fclose(d->human);
	d->human = out;
	fflush(out);
}
