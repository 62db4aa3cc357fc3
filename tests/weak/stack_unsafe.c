#define MAY_POP pushed /* but it may have been popped again */
#include "stack.h"
