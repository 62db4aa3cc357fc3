// future: std::future waits in futex calls of the C++ library
#include <cassert>
#include <future>
#include <thread>

int main()
{
	std::promise<int> promise;
	auto future = promise.get_future();
	std::thread thread([&] { promise.set_value(3); });
	assert(future.get() == 3);
	thread.join();
	return 0;
}
