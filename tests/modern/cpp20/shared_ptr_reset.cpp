// One thread copies a shared_ptr while another one resets it.
// verdict: bug
#include <cassert>
#include <memory>
#include <thread>

int main()
{
	auto p = std::make_shared<int>(5);
	std::thread t([&] {
		auto copy = p;
		assert(!copy || *copy == 5);
	});
	p.reset();
	t.join();
}
