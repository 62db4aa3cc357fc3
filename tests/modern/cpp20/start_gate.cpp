// Two racers wait at one shared_future; the value of the promise says how far to go.
// verdict: complete
// unfinished: set_value_at_thread_exit counts owners of the shared state once more at the end of each thread: twenty times as many traces
#include <array>
#include <cassert>
#include <future>
#include <thread>

int main()
{
	std::promise<int> gate;
	std::shared_future<int> opened = gate.get_future().share();
	std::array<std::promise<int>, 2> finished;
	auto race = [](std::shared_future<int> opened, std::promise<int> &finished, int factor) {
		finished.set_value_at_thread_exit(opened.get() * factor);
	};
	std::thread a(race, opened, std::ref(finished[0]), 2);
	std::thread b(race, opened, std::ref(finished[1]), 3);
	gate.set_value(5);
	assert(finished[0].get_future().get() == 10);
	assert(finished[1].get_future().get() == 15);
	a.join();
	b.join();
}
