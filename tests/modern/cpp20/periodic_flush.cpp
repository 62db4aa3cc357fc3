// A logger writes its lines out from time to time, and the rest when its stop token is set.
// verdict: complete
// unfinished: the flusher writes in each round, and the spin lock of its stop token has a new state in each: there is no end of them
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

class logger {
	std::mutex m;
	std::condition_variable_any full;
	std::vector<std::string> pending;
	std::vector<std::string> &written;
	std::jthread flusher;

	void flush(std::stop_token stop)
	{
		std::unique_lock lock(m);
		do {
			full.wait_for(lock, stop, std::chrono::milliseconds(50), [&] { return pending.size() >= 2; });
			written.insert(written.end(), pending.begin(), pending.end());
			pending.clear();
		} while (!stop.stop_requested());
	}

public:
	explicit logger(std::vector<std::string> &to) : written(to), flusher([this](std::stop_token stop) { flush(stop); }) {}

	void log(std::string line)
	{
		std::lock_guard lock(m);
		pending.push_back(std::move(line));
		if (pending.size() >= 2)
			full.notify_one();
	}
};

int main()
{
	std::vector<std::string> file;
	{
		logger l(file);
		l.log("started");
		l.log("done");
	}
	assert(file.size() == 2 && file[0] == "started" && file[1] == "done");
}
