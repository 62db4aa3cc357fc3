// A configuration behind std::atomic<std::shared_ptr>; readers keep the old one alive.
// verdict: complete
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct config {
	int low, high;
};

int main()
{
	std::atomic<std::shared_ptr<const config>> now = std::make_shared<const config>(config{1, 2});
	std::thread reader([&] {
		auto c = now.load();
		assert(c->high == c->low + 1);
	});
	now.store(std::make_shared<const config>(config{5, 6}));
	reader.join();
	assert(now.load()->low == 5);
}
