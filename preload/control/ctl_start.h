/* What exists before the first step. */
#ifndef SIMUL_CTL_START_H
#define SIMUL_CTL_START_H

/* Makes ctl_trace the trace in the segment. Called once, in the constructor, before ctl_start. */
void ctl_attach_trace(void);
/* Creates the world, the happens-before relation and T0. Called once, in the constructor. */
void ctl_start(void);
/* See ctl_opaque. */
void ctl_call_opaque(void);

#endif
