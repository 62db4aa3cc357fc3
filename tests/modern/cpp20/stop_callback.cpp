// A stop callback runs exactly once, even if two threads request the stop.
// verdict: complete
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main()
{
	std::stop_source source;
	std::atomic<int> calls = 0;
	std::stop_callback callback(source.get_token(), [&] { calls++; });
	std::atomic<int> first = 0;
	std::thread t([&] { first += source.request_stop(); });
	first += source.request_stop();
	t.join();
	assert(calls == 1 && first == 1);
}
