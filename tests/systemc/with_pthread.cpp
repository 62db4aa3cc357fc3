// Two processes, and before the simulation two POSIX threads that increment a counter under a lock: 2 orders of the threads times 2 of the processes.
#include <mutex>
#include <thread>
#include <systemc.h>
static std::mutex lock;
static int counter;
static void increment()
{
	std::lock_guard<std::mutex> hold(lock);
	counter++;
}
SC_MODULE(top) {
	SC_CTOR(top) { SC_THREAD(a); SC_THREAD(b); }
	void a() {}
	void b() {}
};
int sc_main(int, char **)
{
	std::thread one(increment), two(increment);
	one.join();
	two.join();
	top t("top");
	sc_start();
	return counter != 2;
}
