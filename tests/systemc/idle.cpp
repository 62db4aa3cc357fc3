/* Ends before any process runs. */
#include <systemc.h>
int sc_main(int, char **) { sc_start(1, SC_NS); return 0; }
