// A thread walks over the sessions and lets go of the lock for each; another thread erases the session at which it is.
// kind: container
// says: T0.1's erase (walk_map.cc:
// says: freed memory of the std::map that T0 was using
// says: nothing fails
#define CATCH_CONFIG_FAST_COMPILE
#include <catch2/catch.hpp>

#include <map>
#include <mutex>
#include <thread>

class Sessions {
public:
	void open(int id) { sessions_[id] = 0; }

	void close(int id)
	{
		std::lock_guard<std::mutex> guard(lock_);
		sessions_.erase(id);
	}

	void tick()
	{
		std::unique_lock<std::mutex> guard(lock_);

		for (auto it = sessions_.begin(); it != sessions_.end(); ++it) {
			it->second++;
			guard.unlock();
			notify();
			guard.lock();
		}
	}

private:
	static void notify() {}

	std::mutex lock_;
	std::map<int, int> sessions_;
};

TEST_CASE("sessions close during a tick")
{
	Sessions sessions;

	sessions.open(1);
	sessions.open(2);
	std::thread closer([&] { sessions.close(1); });
	sessions.tick();
	closer.join();
	REQUIRE(true);
}
