/* Recognises programs that Python runs. */
#ifndef SIMUL_TARGET_PYTHON_H
#define SIMUL_TARGET_PYTHON_H

#include "cli/target/target.h"

/* Says what is explored of such a program; the argument is its name. */
#define TARGET_PYTHON_NOTE "%s runs in Python: what simul explores are the locks and memory accesses of the interpreter, which runs one thread at a " \
	"time and hands its global lock over between byte codes. So executions are long; --no-patch explores the locks only and starts sooner"

/* Returns whether Python runs the program: it is the interpreter itself, or a script that names it in its first line. */
bool target_is_python(const struct target *t);

#endif
