#define LIMIT (-1)
#define JOIN 0
#include "fib.h"
