/* mem_functions.c, with the checking forms of the functions that write. */
#include "mem_functions.c"
