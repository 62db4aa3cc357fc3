// Two threads; the second to run throws an exception out of its process. SystemC reports it and the program ends with status 1.
#include <stdexcept>
#include <systemc.h>
SC_MODULE(top) {
	int runs = 0;
	SC_CTOR(top) { SC_THREAD(first); SC_THREAD(second); }
	void first() { runs++; }
	void second()
	{
		if (!runs)
			throw std::runtime_error("second runs before first");
	}
};
int sc_main(int, char **)
{
	top t("top");
	sc_start();
	return 0;
}
