#define LIMIT (-1)
#define JOIN 1
#include "fib.h"
