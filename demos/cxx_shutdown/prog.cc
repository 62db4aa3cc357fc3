// A background logger: lines are queued, one thread takes them out. The destructor asks the thread to stop and joins it.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

// A flag that any thread may set or read.
class Flag {
public:
	void set()
	{
		std::lock_guard<std::mutex> guard(mutex_);
		value_ = true;
	}
	bool get() const
	{
		std::lock_guard<std::mutex> guard(mutex_);
		return value_;
	}

private:
	mutable std::mutex mutex_;
	bool value_ = false;
};

class Logger {
public:
	Logger() : thread_([this] { run(); }) {}

	~Logger()
	{
		stopping_.set();
		work_.notify_one();
		thread_.join();
	}

	void log(std::string line)
	{
		{
			std::lock_guard<std::mutex> guard(mutex_);
			lines_.push_back(std::move(line));
		}
		work_.notify_one();
	}

private:
	void run()
	{
		std::unique_lock<std::mutex> lock(mutex_);
		for (;;) {
			work_.wait(lock, [this] { return !lines_.empty() || stopping_.get(); });
			if (lines_.empty())
				return;
			std::string line = std::move(lines_.front());
			lines_.pop_front();
			lock.unlock();
			std::printf("log: %s\n", line.c_str());
			lock.lock();
		}
	}

	std::mutex mutex_;
	std::condition_variable work_;
	std::deque<std::string> lines_;
	Flag stopping_;
	std::thread thread_;
};

int main()
{
	Logger logger;
	logger.log("hello");
	return 0;
}
