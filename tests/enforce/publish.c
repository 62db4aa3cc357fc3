/* The reader fails to wait until the table is published. */
#include "window.h"
static int numbers[2] = {3, 4};
static int *volatile table;
static void *make(void *a) { window(1); table = numbers; return a; }
static void *use(void *a) { assert(table[1] == 4); return a; }
int main(void) { return run_two(make, use); }
