// A worker waits for jobs until its stop token is set.
// verdict: complete
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	std::condition_variable_any changed;
	std::deque<int> jobs;
	int done = 0;
	{
		std::jthread worker([&](std::stop_token stop) {
			std::unique_lock lock(m);
			while (changed.wait(lock, stop, [&] { return !jobs.empty(); })) {
				done += jobs.front();
				jobs.pop_front();
			}
		});
		std::lock_guard lock(m);
		jobs.push_back(5);
		changed.notify_one();
	}
	assert(done == 5 || (done == 0 && jobs.size() == 1));
}
