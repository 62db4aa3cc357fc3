// The first attempt to connect throws, so call_once lets another caller try again.
// verdict: complete
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

class connection {
	std::once_flag once;
	int attempts = 0, socket = -1;

	void open()
	{
		if (++attempts == 1)
			throw std::runtime_error("refused");
		socket = 7;
	}

public:
	int get()
	{
		std::call_once(once, [this] { open(); });
		return socket;
	}
	int tries() const { return attempts; }
};

int main()
{
	connection c;
	std::atomic<int> refused = 0;
	auto use = [&] {
		try {
			assert(c.get() == 7);
		} catch (const std::runtime_error &) {
			refused++;
		}
	};
	std::thread other(use);
	use();
	other.join();
	assert(refused == 1);
	assert(c.get() == 7 && c.tries() == 2);
}
