// size() of a concurrent_vector grows before the new element is constructed: a reader that trusts it sees an element that is not there yet.
// verdict: bug
#include <cassert>
#include <tbb/concurrent_vector.h>
#include <thread>

struct event {
	int kind = 0, check = 0;
	explicit event(int k) : kind(k), check(-k) {}
};

int main()
{
	tbb::concurrent_vector<event> events;
	events.reserve(4);
	events.emplace_back(1);
	std::thread writer([&] { events.emplace_back(2); });
	std::size_t last = events.size() - 1;
	assert(events[last].kind == static_cast<int>(last) + 1);
	assert(events[last].check == -events[last].kind);
	writer.join();
}
