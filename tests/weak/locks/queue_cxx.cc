/* A producer and a consumer with std::mutex and std::condition_variable; what they hand over is on the heap. */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

class queue {
	std::mutex mutex;
	std::condition_variable not_empty;
	std::deque<std::unique_ptr<std::string>> items;

public:
	void put(std::unique_ptr<std::string> item)
	{
		{
			std::lock_guard<std::mutex> hold(mutex);
			items.push_back(std::move(item));
		}
		not_empty.notify_one();
	}

	std::unique_ptr<std::string> take()
	{
		std::unique_lock<std::mutex> hold(mutex);

		not_empty.wait(hold, [this] { return !items.empty(); });
		auto item = std::move(items.front());
		items.pop_front();
		return item;
	}
};

int main()
{
	const int n = 3;
	queue q;
	std::thread producer([&] {
		for (int i = 0; i < n; i++)
			q.put(std::make_unique<std::string>(std::to_string(i)));
	});
	std::thread consumer([&] {
		for (int i = 0; i < n; i++)
			assert(*q.take() == std::to_string(i));
	});

	producer.join();
	consumer.join();
	return 0;
}
