/*
 * Which side writes what in the session segment. The compiler checks it: what the other side writes is const.
 *
 *	BY_SUPERVISOR struct session_requests requests;     cli/ writes it, the target reads it
 *	BY_TARGET struct session_execution execution;       libsimul.so writes it, cli/ reads it
 *
 * What has neither word is written by both. The Makefile defines SIMUL_TARGET for the code that runs in the target. A file of cli/ that defines
 * SESSION_NO_TARGET_RUNS writes for targets that have not started, wait, or have ended; only cli/segment/ has such files.
 */
#ifndef SIMUL_SESSION_SIDES_H
#define SIMUL_SESSION_SIDES_H

#if defined SIMUL_TARGET
#define BY_SUPERVISOR const
#define BY_TARGET
#elif defined SESSION_NO_TARGET_RUNS
#define BY_SUPERVISOR
#define BY_TARGET
#else
#define BY_SUPERVISOR
#define BY_TARGET const
#endif

#endif
