/* `simul certify --from`: a recording of an execution that passed becomes the first execution of the search. */
#ifndef SIMUL_CERTIFY_FROM_H
#define SIMUL_CERTIFY_FROM_H

#include <stdbool.h>

struct search;

/*
 * Reads the recording search->opt.from, checks that it is of this program, of these arguments and options, and that its execution passed, and
 * replays it once. Sets search->from, and the seed and the time of day of the search to those of the recording. Call it when search->config is
 * filled. false: one message was printed.
 */
bool certify_from(struct search *search);
void certify_from_free(struct search *search);

#endif
