#include "cli/verdict/isolation.h"

#include "cli/base/say.h"
#include "cli/options/run_options.h"
#include "cli/supervise/search.h"

const char *isolation_used(const struct session_config *config, const struct session *session, char *why, size_t size)
{
	const struct session_control *ctl = &session->ctl;
	char what[SESSION_MESSAGE];

	why[0] = 0;
	if (config->isolation == ISOLATION_AUTO && session->config.isolation == ISOLATION_EXEC) {
		text_set(why, size, "the program starts processes before its first thread");
		return choices_isolation[ISOLATION_EXEC];
	}
	if (config->isolation == ISOLATION_FORK || config->isolation == ISOLATION_EXEC)
		return choices_isolation[config->isolation];
	if (!ctl->rewind.rewind_off && ctl->rewind.rewound)
		return choices_isolation[ISOLATION_REWIND];
	segment_text(ctl->rewind.rewind_why, what);
	if (config->settings.threads == THREADS_KERNEL)
		text_set(why, size, "kernel threads cannot be rewound");
	else
		text_set(why, size, what[0] ? "executions %.200s" : "there were too few executions to rewind any", what);
	return choices_isolation[ISOLATION_FORK];
}

const char *page_scan_text(uint32_t page_scan)
{
	static const char *const text[] = {"unused", "used", "missing"};

	return page_scan < sizeof(text) / sizeof(text[0]) ? text[page_scan] : text[0];
}

bool isolation_needs_kernel_threads(const struct search *search, size_t bugs, char call[SESSION_MESSAGE])
{
	const struct run_options *o = &search->opt;

	if (search->sup.end != SESSION_REFUSED || search->config.settings.threads == THREADS_KERNEL || bugs)
		return false;
	segment_text(search->seg.session->ctl.failure.kernel_threads_for, call);
	return call[0] && !o->resume_dir && !o->search && !o->from && !o->certificate && o->isolation != ISOLATION_REWIND;
}

void isolation_threads_reason(const struct session_config *config, const char *call, char *why, size_t size)
{
	why[0] = 0;
	if (config->settings.threads == THREADS_KERNEL && call[0])
		text_set(why, size, "the program calls %.100s, and the kernel keeps for each thread what this call concerns", call);
}
