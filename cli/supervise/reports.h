/* Internal to supervise(): handles what a target reports in its segment, and its death. */
#ifndef SIMUL_REPORTS_H
#define SIMUL_REPORTS_H

#include "cli/supervise/loop.h"

/* Looks at the target of w and handles what it reports. Workers may be removed and added. false: the session has ended. */
bool reports_look(struct loop *l, struct worker *w);

#endif
