#include "cli/resume/saved_finding.h"

#include <string.h>

#include "recorder/format/format.h"
#include "recorder/format/recording_file.h"

char *saved_finding_make(const struct finding *f, struct saved_finding *out, size_t *size)
{
	const char *why = NULL;

	*out = (struct saved_finding){
		.signature = f->signature,
		.execution = f->execution,
		.warm_up_before = f->warm_up_before,
		.count = f->count,
		.tries = f->tries,
		.same = f->same,
		.bound = f->bound,
	};
	memcpy(out->other, f->other, sizeof(out->other));
	return recording_valid(f->recording, &why) ? recording_format(f->recording, size) : NULL;
}

bool saved_finding_load(struct findings *findings, const char *data, size_t size, const char *name)
{
	struct saved_finding in;
	struct finding f = {.path = NULL};
	enum recording_error err;
	char message[512];

	if (size < sizeof(in))
		return false;
	memcpy(&in, data, sizeof(in));
	in.other[sizeof(in.other) - 1] = 0;
	f.recording = recording_parse(data + sizeof(in), size - sizeof(in), name, &err, message, sizeof(message));
	if (!f.recording)
		return false;
	f.signature = in.signature;
	f.execution = in.execution;
	f.warm_up_before = in.warm_up_before;
	f.count = in.count;
	f.tries = in.tries;
	f.same = in.same;
	f.bound = in.bound;
	memcpy(f.other, in.other, sizeof(f.other));
	findings_restore(findings, &f);
	return true;
}
