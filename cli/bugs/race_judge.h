/* Which races of SystemC processes are bugs with --fail-on-race. */
#ifndef SIMUL_RACE_JUDGE_H
#define SIMUL_RACE_JUDGE_H

#include <stdbool.h>
#include <sys/types.h>

struct segment;
struct symbols;

/* The names of the running program. All zero: not read yet. */
struct race_judge {
	char *maps; /* to which they belong */
	struct symbols *symbols;
};

/* Returns whether the program itself made both accesses of the race in `seg` that is not judged yet (process_access.h);
   false if the names of its code are not known. `pid` runs the program, and waits. */
bool race_judge(struct race_judge *judge, const struct segment *seg, pid_t pid);
void race_judge_free(struct race_judge *judge);

#endif
