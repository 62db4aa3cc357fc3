#define MAY_POP (top > 0)
#include "stack.h"
