// Static destructors, streams, exceptions and containers, over and over in one process.
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int alive;

struct counted {
	counted() { alive++; }
	~counted()
	{
		if (--alive < 0)
			std::abort();
	}
};

static counted global;
static std::map<std::string, int> table{{"before", 1}};
static std::mutex lock;

static counted &local()
{
	static counted c;
	return c;
}

struct last_check {
	~last_check()
	{
		if (table.size() != 3)
			std::abort();
		std::cout << "destroyed" << std::endl;
	}
};

int main()
{
	static last_check at_the_end;
	std::vector<std::thread> threads;
	auto shared = std::make_shared<std::string>("text");

	if (alive != 1 || table.size() != 1)
		return 3;
	for (int i = 0; i < 2; i++)
		threads.emplace_back([i, shared] {
			thread_local std::string mine = "thread";
			for (int k = 0; k < 2; k++)
				std::lock_guard<std::mutex> g(lock);
			try {
				std::lock_guard<std::mutex> g(lock);
				local();
				table[mine + std::to_string(i)] = i;
				throw std::runtime_error(*shared);
			} catch (const std::exception &e) {
				if (e.what() != *shared)
					std::abort();
			}
		});
	for (auto &t : threads)
		t.join();
	if (alive != 2 || table.size() != 3 || shared.use_count() != 1)
		return 4;
	std::cout << "fine " << table.size() << std::endl;
	return 0;
}
