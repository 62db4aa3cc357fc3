// stop() may be called by anyone, but two callers can both find the thread joinable: it is joined twice.
// verdict: bug
#include <atomic>
#include <thread>

class service {
	std::atomic<bool> stopping = false;
	std::atomic<int> rounds = 0;
	std::thread worker{[this] {
		while (!stopping)
			std::this_thread::yield();
		rounds++;
	}};

public:
	void stop()
	{
		stopping = true;
		if (worker.joinable())
			worker.join();
	}
	int finished() const { return rounds; }
};

int main()
{
	service s;
	std::thread on_signal([&] { s.stop(); });
	s.stop();
	on_signal.join();
	return s.finished() == 1 ? 0 : 1;
}
