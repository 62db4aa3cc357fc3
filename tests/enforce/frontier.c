/* Passes only when the load comes between the two stores: the counterexample to Theorem 1 of the paper, see docs/enforcement.md. */
#include "window.h"
static volatile int x, y;
static void *first(void *a) { x = 1; x = 0; return a; }
static void *second(void *a) { window(1); assert(x == 1); y = 1; return a; }
int main(void) { return run_two(first, second); }
