#define LIMIT 0
#define JOIN 1
#include "fib.h"
