/* Reads the first sections of a recording: the program, the options, the failure. */
#include "recorder/format/format_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/memory_error.h"

static bool replace_text(struct scan *s, char **field)
{
	free(*field);
	return scan_text(s, field);
}

static bool replace_string(struct scan *s, char **field)
{
	free(*field);
	return scan_string(s, field);
}

bool format_read_stack_ref(struct scan *s, size_t *out)
{
	uint64_t v;

	if (!scan_ref(s, 's', &v))
		return false;
	*out = (size_t)v;
	return true;
}

bool format_read_path(struct scan *s, char **out)
{
	char buf[FORMAT_MAX_PATH];

	if (!scan_word(s, buf, sizeof(buf)))
		return false;
	free(*out);
	*out = xstrdup(buf);
	return true;
}

/* ---- [program] ---- */

static bool append(struct scan *s, char ***list, size_t *n)
{
	char *text;

	if (!scan_text(s, &text))
		return false;
	xappend(list, n, text);
	return true;
}

static bool read_simul(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->written_by);
}
static bool read_program(struct reader *rd)
{
	return replace_text(&rd->s, &rd->r->start.program);
}
static bool read_build_id(struct reader *rd)
{
	return replace_text(&rd->s, &rd->r->start.build_id);
}
static bool read_origin(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->origin);
}
static bool read_arg(struct reader *rd)
{
	return append(&rd->s, &rd->r->start.argv, &rd->n_args);
}
static bool read_env(struct reader *rd)
{
	return append(&rd->s, &rd->r->start.env, &rd->n_env);
}
static bool read_hidden(struct reader *rd)
{
	return append(&rd->s, &rd->r->start.hidden, &rd->n_hidden);
}
static bool read_cwd(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->start.cwd);
}
static bool read_stdin(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->start.stdin_file);
}

static bool read_inherited(struct reader *rd)
{
	char **list = &rd->r->start.inherited;

	if (!replace_string(&rd->s, list))
		return false;
	return !*list || strspn(*list, "0123456789 ") == strlen(*list) || scan_fail(&rd->s, "descriptors are numbers");
}

static bool read_env_size(struct reader *rd)
{
	return scan_u32(&rd->s, &rd->r->start.env_entries) && scan_u32(&rd->s, &rd->r->start.env_bytes);
}
static bool read_stack_limit(struct reader *rd)
{
	return scan_u64(&rd->s, UINT64_MAX, &rd->r->start.stack_limit);
}

/* ---- [options] ---- */

/* Reads the value of a setting that has names. */
static bool read_named(struct scan *s, const struct setting *of, uint64_t *value)
{
	char word[32] = "", *text = NULL;
	bool ok = of->kind == SETTING_WORD ? scan_word(s, word, sizeof(word)) : scan_string(s, &text);
	const char *name = text ? text : word;

	*value = 0;
	if (ok && *name && !setting_named(of, name, value)) /* without a name it is the first one */
		ok = scan_fail(s, "the %s \"%.20s\" is not known", of->line, name);
	free(text);
	return ok;
}

static bool read_setting(struct reader *rd, const struct setting *of)
{
	uint64_t value;

	if (of->kind == SETTING_WORD || of->kind == SETTING_TEXT ? !read_named(&rd->s, of, &value) : !scan_u64(&rd->s, of->most, &value))
		return false;
	setting_set(&rd->r->settings, of, value);
	return true;
}

#define SETTING(name, ...) \
	static bool read_##name(struct reader *rd) \
	{ \
		return read_setting(rd, &settings_table[SETTING_OF_##name]); \
	}
#include "base/settings.def"

static bool read_strategy(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->strategy);
}
static bool read_execution(struct reader *rd)
{
	return scan_u64(&rd->s, UINT64_MAX, &rd->r->execution);
}
static bool read_patch_also(struct reader *rd)
{
	return append(&rd->s, &rd->r->patch_patterns, &rd->n_patterns);
}
static bool read_pool(struct reader *rd)
{
	struct session_pool *pool = &rd->r->pool;
	uint32_t n = pool->n;

	if (n >= SESSION_POOL)
		return scan_fail(&rd->s, "there are too many pool lines");
	pool->n++;
	return scan_u64(&rd->s, UINT64_MAX, &pool->thread[n].stack_size) &&
	       scan_u64(&rd->s, UINT64_MAX, &pool->thread[n].guard_size) &&
	       (!scan_more(&rd->s) || scan_word(&rd->s, pool->thread[n].path, sizeof(pool->thread[n].path)));
}

/* ---- [failure] ---- */

static bool read_bug_kind(struct reader *rd)
{
	int v;

	if (!scan_name(&rd->s, bug_kind_parse, "a kind of failure", &v))
		return false;
	rd->r->failure.kind = (uint32_t)v;
	return true;
}
static bool read_bug_thread(struct reader *rd)
{
	return format_read_path(&rd->s, &rd->failure_thread);
}
static bool read_signal(struct reader *rd)
{
	return scan_i32(&rd->s, &rd->r->failure.signal);
}
static bool read_status(struct reader *rd)
{
	return scan_i32(&rd->s, &rd->r->failure.status);
}
static bool read_signature(struct reader *rd)
{
	return scan_u64(&rd->s, UINT64_MAX, &rd->r->failure.signature);
}
static bool read_message(struct reader *rd)
{
	return replace_text(&rd->s, &rd->r->failure.message);
}
static bool read_process(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->failure.process);
}

static bool read_where(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->failure.where);
}
static bool read_failure_stack(struct reader *rd)
{
	return format_read_stack_ref(&rd->s, &rd->failure_stack);
}
static bool read_preemptions(struct reader *rd)
{
	return scan_u32(&rd->s, &rd->r->preemptions);
}
static bool read_confirmed(struct reader *rd)
{
	return scan_u32(&rd->s, &rd->r->confirmed) && scan_u32(&rd->s, &rd->r->confirm_tries);
}
static bool read_minimized(struct reader *rd)
{
	uint64_t steps;

	if (!scan_u32(&rd->s, &rd->r->found.preemptions) || !scan_u32(&rd->s, &rd->r->found.switches) ||
		!scan_u64(&rd->s, UINT32_MAX, &steps))
		return false;
	rd->r->found.steps = (size_t)steps;
	return true;
}
static bool read_needs(struct reader *rd)
{
	uint64_t least, enough;

	if (!scan_u64(&rd->s, UINT32_MAX - 1, &least) || !scan_u64(&rd->s, UINT32_MAX - 1, &enough))
		return false;
	if (least > enough)
		return scan_fail(&rd->s, "the lower bound of its preemptions is above the upper one");
	rd->r->needs.least = (unsigned)least + 1;
	rd->r->needs.enough = (unsigned)enough + 1;
	return true;
}
static bool read_timed_out(struct reader *rd)
{
	uint64_t step;
	uint32_t other;

	if (!scan_u64(&rd->s, UINT32_MAX, &step) || !scan_u64(&rd->s, UINT64_MAX, &rd->r->timed_out.ns))
		return false;
	rd->r->timed_out.step = (size_t)step;
	if (!scan_more(&rd->s))
		return true;
	if (!scan_u32(&rd->s, &other))
		return false;
	rd->r->timed_out.other = (thread_id)other;
	return true;
}
static bool read_fewest(struct reader *rd)
{
	uint64_t v;

	if (!scan_u64(&rd->s, 1, &v))
		return false;
	rd->r->fewest = v;
	return true;
}
static bool read_fewest_choices(struct reader *rd)
{
	uint64_t v;

	if (!scan_u64(&rd->s, 1, &v))
		return false;
	rd->r->fewest_choices = v;
	return true;
}
static bool read_found_choices(struct reader *rd)
{
	return scan_u32(&rd->s, &rd->r->found.choices);
}
static bool read_cycle(struct reader *rd)
{
	struct recording *r = rd->r;
	uint64_t step;
	int next;

	if (r->failure.n_cycle >= ROBUST_MOST)
		return scan_fail(&rd->s, "there are too many cycle lines");
	if (!scan_u64(&rd->s, UINT32_MAX, &step) || !scan_name(&rd->s, cycle_step_parse, "an order", &next))
		return false;
	r->failure.cycle = xgrow(r->failure.cycle, r->failure.n_cycle, sizeof(*r->failure.cycle));
	r->failure.cycle[r->failure.n_cycle++] = (struct rec_cycle){ (size_t)step - 1, (uint8_t)next };
	return true;
}

static bool read_memory(struct reader *rd)
{
	struct rec_block *b = &rd->r->failure.block;
	char access[16];
	int error;

	if (!scan_name(&rd->s, memory_error_parse, "a memory error", &error) || !scan_word(&rd->s, access, sizeof(access)))
		return false;
	b->error = (uint32_t)error;
	b->write = !strcmp(access, "write");
	if (!b->write && strcmp(access, "read") != 0) {
		int object = object_kind_parse(access);

		if (object <= OBJ_NONE)
			return scan_fail(&rd->s, "\"%s\" is not a kind of access", access);
		b->object = (uint8_t)object;
	}
	return scan_u64(&rd->s, UINT64_MAX, &b->addr) && scan_u64(&rd->s, UINT64_MAX, &b->size) &&
	       scan_u64(&rd->s, UINT64_MAX, &b->block) && scan_u64(&rd->s, UINT64_MAX, &b->block_size);
}
static bool read_allocated(struct reader *rd)
{
	return format_read_path(&rd->s, &rd->block_owner[0]) && format_read_stack_ref(&rd->s, &rd->block_stack[0]);
}
static bool read_freed(struct reader *rd)
{
	return format_read_path(&rd->s, &rd->block_owner[1]) && format_read_stack_ref(&rd->s, &rd->block_stack[1]);
}

const struct line format_program_lines[] = {
	{"simul", read_simul},
	{"path", read_program},
	{"build-id", read_build_id},
	{"origin", read_origin},
	{"arg", read_arg},
	{"env", read_env},
	{"env-hidden", read_hidden},
	{"cwd", read_cwd},
	{"stdin", read_stdin},
	{"env-size", read_env_size},
	{"stack-limit", read_stack_limit},
	{"inherited", read_inherited},
	{NULL, NULL},
};
const struct line format_option_lines[] = {
#define SETTING(name, type, kind, most, line, ...) { line, read_##name },
#include "base/settings.def"
	{ "strategy", read_strategy }, { "execution", read_execution }, { "pool", read_pool }, { "patch-also", read_patch_also }, { NULL, NULL },
};
const struct line format_failure_lines[] = {
	{ "kind", read_bug_kind }, { "thread", read_bug_thread }, { "signal", read_signal },
	{ "status", read_status }, { "signature", read_signature }, { "message", read_message },
	{ "where", read_where }, { "process", read_process }, { "stack", read_failure_stack },
	{ "preemptions", read_preemptions }, { "confirmed", read_confirmed },
	{ "minimised", read_minimized }, { "fewest", read_fewest },
	{ "fewest-choices", read_fewest_choices }, { "found-choices", read_found_choices },
	{ "needs", read_needs }, { "timed-out", read_timed_out }, { "cycle", read_cycle },
	{ "memory", read_memory }, { "allocated", read_allocated }, { "freed", read_freed }, { NULL, NULL },
};
