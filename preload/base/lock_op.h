/* The parts of operations of a lock, as the patcher finds them (preload/control/lock_ops.h). */
#ifndef SIMUL_LOCK_OP_H
#define SIMUL_LOCK_OP_H

enum lock_op_part {
	LOCK_OP_NO_PART,
	LOCK_OP_LOADS, /* the load of the word with which an operation begins */
	LOCK_OP_SWAPS, /* the compare-and-swap after it, which expects what it loaded */
	LOCK_OP_TAKES, /* a compare-and-swap with which an operation begins */
	LOCK_OP_GIVES, /* the access with which an operation begins that gives the lock back */
};

/* What the slow part of an operation does (patch_config.slow_part). */
enum lock_slow_part { LOCK_SLOW_NONE, LOCK_SLOW_READS, LOCK_SLOW_WRITES, LOCK_SLOW_WAKES };

#endif
