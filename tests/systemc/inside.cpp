// Stands for a program with SystemC linked into it statically: it has a class of the kernel's own, and two POSIX threads.
#include <mutex>
#include <thread>
#include <typeinfo>
namespace sc_core {
class sc_method_process {
public:
	virtual ~sc_method_process() {}
};
}
static std::mutex lock;
static sc_core::sc_method_process process;
static void visit()
{
	std::lock_guard<std::mutex> hold(lock);
}
int main()
{
	std::thread one(visit), two(visit);
	one.join();
	two.join();
	return typeid(process).name()[0] != 'N';
}
