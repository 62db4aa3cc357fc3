// std::async, std::promise, std::packaged_task, exceptions through futures, wait_for that times out or succeeds.
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

static int fib(int n)
{
	if (n < 2)
		return n;
	auto left = std::async(std::launch::async, fib, n - 2);
	int right = fib(n - 1);
	return left.get() + right;
}

int main()
{
	using namespace std::chrono_literals;
	if (fib(3) != 2)
		return 1;

	auto failing = std::async(std::launch::async, []() -> int { throw std::logic_error("no"); });
	try {
		failing.get();
		return 2;
	} catch (const std::logic_error &) {
	}

	std::promise<int> promise;
	auto future = promise.get_future();
	if (future.wait_for(1ms) != std::future_status::timeout)
		return 3;
	std::thread setter([&promise] { promise.set_value(5); });
	if (future.wait_for(1h) == std::future_status::ready) {
		if (future.get() != 5)
			return 4;
	} else if (future.get() != 5) { // it may time out first: the setter may be slow
		return 5;
	}
	setter.join();

	std::packaged_task<int(int)> task([](int x) { return 2 * x; });
	auto doubled = task.get_future();
	std::thread runner(std::move(task), 21);
	if (doubled.get() != 42)
		return 6;
	runner.join();

	{
		std::promise<void> broken;
		auto never = broken.get_future();
		{ std::promise<void> gone = std::move(broken); }
		try {
			never.get();
			return 7;
		} catch (const std::future_error &e) {
			if (e.code() != std::future_errc::broken_promise)
				return 8;
		}
	}
	return 0;
}
