// A library with a model that is never started, and with -DPROGRAM the program that calls it.
#ifdef PROGRAM
int model();
int main() { return model(); }
#else
#include <systemc.h>
int sc_main(int, char **) { return 0; }
int model() { return sc_core::sc_elab_and_sim(0, nullptr); }
#endif
