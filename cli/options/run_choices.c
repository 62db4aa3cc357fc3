#include "cli/options/run_choices.h"

#include <stddef.h>

const char *const choices_isolation[] = {"fork", "exec", "rewind", "auto", NULL};
const char *const choices_own_locks[] = {"assume", "explore", NULL};
