#define LIMIT 0
#define JOIN 0
#include "fib.h"
