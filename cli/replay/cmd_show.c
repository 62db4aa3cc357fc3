/* simul show: a recording for people and programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base_name.h"
#include "base/exit_codes.h"
#include "cli/certify/show.h"
#include "cli/cmd.h"
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

int cmd_show(int argc, char **argv)
{
	static const char *const colours[] = { "auto", "always", "never", NULL };
	struct show_options o = {0};
	const struct option_spec specs[] = {
		{"all", 0, OPTION_FLAG, &o.all, 0, 0, NULL},
		{"color", 0, OPTION_CHOICE, &o.colour, 0, 0, colours},
		{"dot", 0, OPTION_FLAG, &o.dot, 0, 0, NULL},
		{"html", 0, OPTION_STRING, &o.html, 0, 0, NULL},
		{"json", 0, OPTION_FLAG, &o.json, 0, 0, NULL},
		{"width", 0, OPTION_U32, &o.width, 40, 1000, NULL},
		{NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL},
	};
	int first, code;

	if (!options_read_recording("show", specs, argc, argv, &first, &code))
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
