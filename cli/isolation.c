#include "cli/isolation.h"

#include "cli/say.h"

const char *isolation_used(const struct run *run, char *why, size_t size)
{
	static const char *const names[] = {"fork", "exec", "rewind"};
	const struct session_control *ctl = &run->seg.session->ctl;
	char what[SESSION_MESSAGE];

	why[0] = 0;
	if (run->config.isolation != ISOLATION_REWIND)
		return names[run->config.isolation];
	segment_text(ctl->rewind_why, what);
	if (!ctl->rewind_off && ctl->rewound)
		return names[ISOLATION_REWIND];
	text_set(why, size, what[0] ? "executions %.200s" : "too few executions without a failure", what);
	return names[ISOLATION_FORK];
}
