// Destructors of thread_local objects run in their thread, before it can be joined, in reverse order of construction.
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<std::string> log_;

static void note(const std::string &s)
{
	std::lock_guard<std::mutex> lock(mutex);
	log_.push_back(s);
}

struct Noisy {
	std::string name;
	explicit Noisy(std::string n) : name(std::move(n)) {}
	~Noisy() { note("~" + name); }
};

static thread_local int plain = 7;

static void worker(int id)
{
	static thread_local Noisy first("first" + std::to_string(id));
	static thread_local Noisy second("second" + std::to_string(id));
	plain += id;
	note(second.name + "," + first.name + "," + std::to_string(plain));
}

int main()
{
	std::thread a(worker, 1);
	a.join();
	const std::vector<std::string> after_a = {"second1,first1,8", "~second1", "~first1"};
	if (log_ != after_a)
		return 1;
	std::thread b(worker, 2), c(worker, 3);
	b.join();
	c.join();
	if (log_.size() != 9 || plain != 7)
		return 2;
	for (int id = 2; id <= 3; id++) {
		std::vector<std::string> mine;
		for (auto &s : log_)
			if (s.find(std::to_string(id)) != std::string::npos)
				mine.push_back(s);
		std::string n = std::to_string(id), sum = std::to_string(7 + id);
		std::vector<std::string> want = {"second" + n + ",first" + n + "," + sum, "~second" + n, "~first" + n};
		if (mine != want)
			return 3;
	}
	return 0;
}
