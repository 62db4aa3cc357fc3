// Publishers notify a list of subscribers that changes meanwhile; the list is copied under the lock.
// verdict: complete
#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class bus {
	using handler = std::function<void(int)>;

public:
	void subscribe(handler h)
	{
		std::lock_guard lock(m_);
		handlers_.push_back(std::make_shared<handler>(std::move(h)));
	}
	void publish(int value)
	{
		std::vector<std::shared_ptr<handler>> copy;
		{
			std::lock_guard lock(m_);
			copy = handlers_;
		}
		for (auto &h : copy)
			(*h)(value);
	}

private:
	std::mutex m_;
	std::vector<std::shared_ptr<handler>> handlers_;
};

int main()
{
	bus b;
	std::atomic<int> sum = 0;
	b.subscribe([&](int v) { sum += v; });
	std::thread t([&] { b.subscribe([&](int v) { sum += 10 * v; }); });
	b.publish(1);
	t.join();
	assert(sum == 1 || sum == 11);
}
