/* Checks the options of a search that is to be certified. */
#include <string.h>

#include "cli/certify/certify.h"
#include "cli/base/say.h"
#include "cli/options/run_options.h"
#include "explore/explore.h"
#include "base/whole_file.h"

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
		return refuse("a certificate needs a search that leaves no schedule out: use --strategy optimal or source (--executions 1 certifies a "
			"single schedule)");
	if (o->preemptions != NO_BOUND)
		return refuse("a search with a bound on preemptions skips schedules: leave out --preemptions");
	if (o->settings.barrier_first)
		return refuse("when the program runs without simul, the last thread to arrive at a barrier gets the serial result: leave out "
			"--barrier-serial first");
	if (o->settings.discrete_time)
		return refuse("timeouts that --time-model discrete delays can expire early when the program runs without simul: leave it out");
	if (o->settings.patience)
		return refuse("timeouts that --patience delays can expire early when the program runs without simul: leave out --patience");
	if (o->leave_out.n)
		return refuse("accesses that are left out cannot be ordered: leave out --leave-out");
	if (o->lock.n)
		return refuse("a certificate orders the instructions of such locks, so they are explored: leave out --lock");
	if (o->no_patch)
		return refuse("without patching, memory accesses are not seen and cannot be ordered: leave out --no-patch");
	if (!o->certificate)
		return refuse("no file for the certificate given; for example: simul certify -o queue.cert -- ./queue_test");
	why = whole_file_refuses(o->certificate);
	if (why) {
		say("certify: cannot write %s: %s", o->certificate, why);
		return false;
	}
	return true;
}
