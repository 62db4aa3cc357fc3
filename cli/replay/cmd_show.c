/* simul show: a recording for people and programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base_name.h"
#include "base/exit_codes.h"
#include "cli/certify/show.h"
#include "cli/options/cmd.h"
#include "cli/options/options.h"
#include "cli/base/say.h"
#include "enforce/certificate.h"
#include "recorder/format/recording_file.h"
#include "recorder/html/html.h"
#include "recorder/json/report_json.h"
#include "recorder/recording.h"
#include "recorder/report/report.h"
#include "base/whole_file.h"

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct show_options {
	bool all, json, dot;
	uint32_t width, colour;
	const char *html;
};

/* Returns whether both names are one file: the page must not overwrite the recording. */
static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int show_html(const struct recording *r, const char *path, const char *out)
{
	const char *why = NULL;
	bool to_stdout = !strcmp(out, "-");
	size_t size;
	char *text;
	int error = 0;

	if (!to_stdout)
		why = same_file(path, out) ? "it is the recording itself" : whole_file_refuses(out);
	if (why) {
		say("--html %s: cannot write: %s", out, why);
		return SIMUL_EXIT_USAGE;
	}
	text = report_html(r, base_name(path), &size);
	if (!to_stdout)
		error = write_whole(out, text, size, 0666, &why);
	else if (fwrite(text, 1, size, stdout) != size || fflush(stdout))
		error = -errno;
	free(text);
	if (!error || (to_stdout && error == -EPIPE))
		return SIMUL_EXIT_OK;
	say("--html %s: %s: %s", out, why ? why : "cannot be written", strerror(-error));
	return SIMUL_EXIT_USAGE;
}

static struct report_options look_of(const struct show_options *o)
{
	struct report_options look = report_options_for(stdout);

	look.all = o->all;
	if (o->width)
		look.width = o->width;
	if (o->colour != COLOUR_AUTO)
		look.colour = o->colour == COLOUR_ALWAYS;
	return look;
}

static int show(const struct show_options *o, const char *path)
{
	enum recording_error err;
	char message[1024];
	struct recording *r = recording_read(path, &err, message, sizeof(message));
	const struct report_options look = look_of(o);
	int error = 0;

	if (!r) {
		say("%s", message);
		return SIMUL_EXIT_USAGE;
	}
	if (o->html) {
		int status = show_html(r, path, o->html);
		recording_free(r);
		return status;
	}
	if (o->json)
		error = report_json(stdout, r);
	else if (o->dot)
		report_dot(stdout, r, &look);
	else
		report_show(stdout, r, &look);
	recording_free(r);
	if (fflush(stdout) && !error)
		error = -errno;
	if (error && error != -EPIPE) {
		say("show: cannot write: %s", strerror(-error));
		return SIMUL_EXIT_USAGE;
	}
	return SIMUL_EXIT_OK;
}

static const char *const colours[] = { "auto", "always", "never", NULL }; /* enum colour */

#define OPTIONS_INTO struct show_options

static const struct option_spec specs[] = {
	{"html", "OUT", TO_TEXT(html),
		"write one self-contained page: a lane for each thread, arrows\n"
		"for the happens-before order, source code, store buffers,\n"
		"search; '-' is standard output"},
	{"json", NULL, TO_FLAG(json), "print one JSON object"},
	{"dot", NULL, TO_FLAG(dot),
		"print the happens-before graph for graphviz: the last 200\n"
		"steps, or all with --all"},
	{"all", NULL, TO_FLAG(all), "show every step (default: long schedules are shortened)"},
	{"color", "auto|always|never", TO_CHOICE(colour, colours),
		"use colours; auto (default): on a terminal, unless NO_COLOR is\n"
		"set or TERM is dumb"},
	{"width", "N", TO_U32(width, 40, 1000), "use N columns (default: the width of the terminal)"},
	{.name = NULL},
};

static const struct option_table option_table = {.command = "show", .mixed = true, .own = specs};

int cmd_show(int argc, char **argv)
{
	struct show_options o = {0};
	int first, code;

	if (!options_read_recording(&option_table, &o, argc, argv, &first, &code))
		return code;
	if (o.json + o.dot + (o.html != NULL) > 1) {
		say("show: one of --html, --json and --dot at a time");
		return SIMUL_EXIT_USAGE;
	}
	if (certificate_is_one(argv[first])) {
		if (o.json || o.dot || o.html) {
			say("show: --json, --dot and --html are for recordings");
			return SIMUL_EXIT_USAGE;
		}
		return show_certificate(argv[first]);
	}
	return show(&o, argv[first]);
}
