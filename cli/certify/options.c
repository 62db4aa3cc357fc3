/* Checks the options of a search that is to be certified. */
#include <string.h>

#include "cli/certify/certify.h"
#include "cli/base/say.h"
#include "explore/explore.h"
#include "recorder/whole_file.h"

static bool refuse(const char *text)
{
	say("certify: %s", text);
	return false;
}

bool certify_check(struct run_options *o)
{
	const char *why;

	if (o->strategy == STRATEGY_DEFAULT)
		o->strategy = STRATEGY_OPTIMAL;
	if (o->strategy != STRATEGY_OPTIMAL && o->strategy != STRATEGY_SOURCE)
		return refuse("only a search that covers every schedule below the point it has reached can be certified: use --strategy optimal or "
			"source; --executions 1 certifies a single schedule");
	if (o->preemptions != NO_BOUND)
		return refuse("a search with a bound on preemptions leaves schedules out: leave out --preemptions");
	if (o->barrier_serial == SERIAL_FIRST)
		return refuse("the program gets the serial result of a barrier from glibc, which gives it to the last arrival: leave out --barrier-serial first");
	if (o->time_model == TIME_DISCRETE)
		return refuse("timeouts that --time-model discrete holds back can happen when the program runs: leave it out");
	if (o->patience)
		return refuse("time-outs that --patience holds back can happen when the program runs: leave it out");
	if (o->no_patch)
		return refuse("without patching accesses to memory are not seen, and cannot be ordered: leave out --no-patch");
	if (o->jobs > 1)
		return refuse("a search that several workers share cannot be certified yet: use --jobs 1");
	if (o->resume_dir)
		return refuse("a search that is kept with --resume cannot be certified yet: leave it out");
	o->jobs = 1;
	if (!o->certificate)
		return refuse("where is the certificate to be written? For example: simul certify -o queue.cert -- ./queue_test");
	why = whole_file_refuses(o->certificate);
	if (why) {
		say("certify: cannot write %s: %s", o->certificate, why);
		return false;
	}
	return true;
}
