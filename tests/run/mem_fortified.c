/* mem_functions.c, with the checked variants of the functions that write. */
#include "mem_functions.c"
