/*
 * The experiments by which a diagnosis can be tested.
 */
#ifndef SIMUL_QUESTIONS_H
#define SIMUL_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "recorder/recording.h"

/* An experiment worth trying. `broader`: worth it only when the one before it did not give REC_TRY_PASSES. */
struct rec_question {
	struct rec_try try; /* without a result */
	bool broader;
};
/* Lists the experiments worth trying, most informative first: the orders that the diagnosis names, then choices
   of the program's own scheduler, then the switches (preemptions
   first; of each kind the last ones first). Writes at most `most` to out; returns their number. */
size_t recording_questions(const struct recording *r, struct rec_question *out, size_t most);

#endif
