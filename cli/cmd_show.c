/* simul show: a recording for people and programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_codes.h"
#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/say.h"
#include "recorder/recording.h"
#include "recorder/report.h"

struct show_options {
	bool all, json;
	uint32_t width;
};

static int show(const struct show_options *o, const char *path)
{
	enum recording_error err;
	char message[1024];
	struct recording *r = recording_read(path, &err, message, sizeof(message));
	struct report_options look;
	int error = 0;

	if (!r) {
		say("%s", message);
		return SIMUL_EXIT_USAGE;
	}
	look = report_options_for(stdout);
	look.all = o->all;
	if (o->width)
		look.width = o->width;
	if (o->json)
		error = report_json(stdout, r);
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
	struct show_options o = {0};
	const struct option_spec specs[] = {
		{"all", 0, OPTION_FLAG, &o.all, 0, 0, NULL},
		{"json", 0, OPTION_FLAG, &o.json, 0, 0, NULL},
		{"width", 0, OPTION_U32, &o.width, 40, 1000, NULL},
		{NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL},
	};
	int first;

	switch (options_read("show", specs, true, argc, argv, &first)) {
	case OPTIONS_HELP:
		fputs(help_text("show"), stdout);
		return SIMUL_EXIT_OK;
	case OPTIONS_BAD:
		return SIMUL_EXIT_USAGE;
	case OPTIONS_OK:
		break;
	}
	if (argc - first != 1) {
		say(first >= argc ? "show: no recording given; for example: simul show queue_test-1.simul"
				  : "show: one recording at a time");
		return SIMUL_EXIT_USAGE;
	}
	return show(&o, argv[first]);
}
