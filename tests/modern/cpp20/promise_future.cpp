// Two futures of one promise each, one of them an exception.
// verdict: complete
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main()
{
	std::promise<int> good, bad;
	auto value = good.get_future(), error = bad.get_future();
	std::thread t([&] {
		good.set_value(7);
		bad.set_exception(std::make_exception_ptr(std::runtime_error("no")));
	});
	bool caught = false;
	try {
		error.get();
	} catch (const std::runtime_error &) {
		caught = true;
	}
	assert(caught && value.get() == 7);
	t.join();
}
