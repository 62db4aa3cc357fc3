/* The memory orders of C11 and C++11. */
#ifndef SIMUL_MEMORY_ORDER_H
#define SIMUL_MEMORY_ORDER_H

#include <stdbool.h>

/* RC11_PLAIN: a LOAD or STORE that is no atomic access. */
enum rc11_order {
	RC11_RELAXED,
	RC11_CONSUME,
	RC11_ACQUIRE,
	RC11_RELEASE,
	RC11_ACQ_REL,
	RC11_SEQ_CST,
	RC11_PLAIN
};

/* Returns whether an access with this order (enum rc11_order) acquires, if it reads. */
static inline bool order_acquires(unsigned order)
{
	return order == RC11_CONSUME || order == RC11_ACQUIRE || order == RC11_ACQ_REL || order == RC11_SEQ_CST;
}

/* Returns whether it releases, if it writes. */
static inline bool order_releases(unsigned order)
{
	return order == RC11_RELEASE || order == RC11_ACQ_REL || order == RC11_SEQ_CST;
}

/* Returns the weakest order that does these. */
static inline enum rc11_order order_of_both(bool acquires, bool releases)
{
	return acquires && releases ? RC11_ACQ_REL : acquires ? RC11_ACQUIRE
		: releases                                    ? RC11_RELEASE
							      : RC11_RELAXED;
}

/* Returns the weakest order that is as strong as both. */
static inline enum rc11_order order_both(unsigned a, unsigned b)
{
	if (a == RC11_SEQ_CST || b == RC11_SEQ_CST)
		return RC11_SEQ_CST;
	return order_of_both(order_acquires(a) || order_acquires(b), order_releases(a) || order_releases(b));
}

#endif
