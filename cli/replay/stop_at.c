#include "cli/replay/stop_at.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/proc_text.h"
#include "cli/base/child_processes.h"
#include "cli/collect/collect.h"
#include "cli/base/interrupt.h"
#include "cli/base/say.h"
#include "base/printable.h"
#include "recorder/symbols/symbols.h"
#include "base/xalloc.h"

static void print_stack(struct symbols *symbols, const struct session_stack *stack)
{
	struct rec_stack s = symbolize_stack(symbols, stack->pc, stack->n, false);
	char where[512];

	for (size_t i = 0; i < s.n; i++) {
		char *line;

		if (!(s.frame[i].flags & REC_FRAME_USER))
			continue;
		line = xasprintf("%s%s%s", s.frame[i].function ? s.frame[i].function : "", s.frame[i].function ? " " : "",
			rec_frame_where(&s.frame[i], where, sizeof(where)));
		printable_replace(&line, PRINTABLE_LINE);
		printf("      %s\n", line);
		free(line);
	}
	if (!s.n)
		printf("      has not started\n");
	rec_stack_free(&s);
}

/* Prints the position of every live thread. */
static void print_threads(const struct segment *seg, pid_t pid)
{
	char *maps;
	struct thread_names *names = xcalloc(1, sizeof(*names));
	struct symbols *symbols;

	maps = proc_text_maps(pid);
	symbols = symbols_open(maps);
	free(maps);
	if (!segment_names(seg, names))
		names->count = 0;
	for (thread_id t = 0; t < names->count && t < MAX_THREADS; t++) {
		struct session_thread thread;
		char name[64];

		segment_thread(seg, t, &thread);
		if (!thread.alive)
			continue;
		thread_name_format(names, t, name, sizeof(name));
		printf("  %s\n", name);
		if (symbols)
			print_stack(symbols, &thread.frames.stack);
	}
	if (symbols)
		symbols_close(symbols);
	free(names);
}

/* Waits for a line or the end of standard input, for Ctrl-C, or for the end of the process. */
static void wait_for_user(pid_t pid)
{
	struct pollfd p = {.fd = 0, .events = POLLIN};
	char byte = 0, state = 0;
	unsigned long long cpu;
	pid_t parent;

	while (!interrupt_count() && process_stat(pid, &parent, &cpu, &state) && state != 'Z') {
		if (poll(&p, 1, 200) > 0 && (read(0, &byte, 1) <= 0 || byte == '\n'))
			return;
	}
}

static void at_step(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid)
{
	uint32_t step = seg->session->config.stop_at;
	char *text = capture_tail(output, 65536);

	printable_replace(&text, PRINTABLE_LINES);
	if (text)
		printf("--- output of the program so far ---\n%s%s--- end of output ---\n", text,
			text[strlen(text) - 1] == '\n' ? "" : "\n");
	free(text);
	printf("Before step %u. Threads, innermost call first:\n", step);
	print_threads(seg, pid);
	printf("Process %d waits. To inspect it: gdb -p %d\n"
	       "To step through it with the program's own breakpoints: simul replay --gdb --stop-at %u FILE\n"
	       "Enter continues it, Ctrl-C ends it.\n", (int)pid, (int)pid, step);
	fflush(stdout);
	wait_for_user(pid);
}

void stop_at_prepare(struct rerun *r, uint32_t step)
{
	r->config.debug = DEBUGGED_BY_USER;
	r->config.stop_at = step;
	r->config.isolation = ISOLATION_EXEC;
	r->config.settings.threads = THREADS_KERNEL;
	r->at_step = at_step;
}
