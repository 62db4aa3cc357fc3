#include "cli/options/run_choices.h"

#include <stddef.h>

const char *const choices_isolation[] = {"fork", "exec", "rewind", "auto", NULL};
const char *const choices_threads[] = {"fiber", "kernel", NULL};
const char *const choices_model[] = {"sc", "tso", "pso", NULL};
const char *const choices_time_model[] = {"free", "discrete", NULL};
const char *const choices_exit[] = {"late", "any", NULL};
const char *const choices_own_locks[] = {"assume", "explore", NULL};
const char *const choices_barrier_serial[] = {"last", "first", NULL};
