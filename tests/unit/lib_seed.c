#include "tests/unit/lib_seed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t test_seed(uint64_t usual)
{
	const char *text = getenv("SEED");
	uint64_t seed = text && *text ? strtoull(text, NULL, 0) : usual;

	printf("random programs of SEED=%" PRIu64 "\n", seed);
	return seed;
}
