// A plain condition variable does not know the stop token: the request comes between the test and the wait.
// verdict: bug
#include <condition_variable>
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	std::condition_variable changed;
	std::jthread worker([&](std::stop_token stop) {
		std::unique_lock lock(m);
		while (!stop.stop_requested())
			changed.wait(lock);
	});
	worker.request_stop();
	changed.notify_all();
}
