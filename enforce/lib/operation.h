/* The two forms of most hooks. */
#ifndef SIMUL_OPERATION_H
#define SIMUL_OPERATION_H

#include "enforce/lib/gate.h"

static inline struct use use_of(unsigned kind, const volatile void *p)
{
	return (struct use){.kind = kind, .addr = (uint64_t)p};
}

/* Performs an operation that always succeeds, or that fails in the same way every time. */
#define PLAIN(kind, object, at, call) \
	({ \
		struct use use_ = use_of(object, at); \
		bool mine_ = gate_begin(kind, &use_, 1); \
		int result_ = call; \
		if (mine_) \
			gate_end(); \
		result_; \
	})

/* Performs an operation that may fail. If it failed in the certificate, it fails at once, with `failure`. The expression `failed_` says
   whether result_ is a failure. */
#define ATTEMPT(kind, object, at, call, failure, failed_) \
	({ \
		struct use use_ = use_of(object, at); \
		bool mine_ = gate_begin(kind, &use_, 1); \
		int result_ = mine_ && gate_event()->failed ? (failure) : call; \
		if (mine_) { \
			gate_outcome(failed_); \
			gate_end(); \
		} \
		result_; \
	})

#endif
