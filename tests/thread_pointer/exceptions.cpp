// Exceptions, thread_local objects with constructors and destructors, and a mutex of C++.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::mutex lock;
static int count, ended;

struct name {
	std::string text = "none";
	~name()
	{
		assert(text == "1" || text == "2");
		std::lock_guard<std::mutex> guard(lock);
		ended++;
	}
};
static thread_local name mine;

static void fails(int i)
{
	std::lock_guard<std::mutex> guard(lock);
	if (++count)
		throw std::runtime_error(std::to_string(i));
}

static void thread(int i)
{
	mine.text = std::to_string(i);
	try {
		fails(i);
		assert(false);
	} catch (const std::runtime_error &e) {
		assert(mine.text == e.what());
	}
}

int main()
{
	std::thread a(thread, 1), b(thread, 2);
	a.join();
	b.join();
	assert(count == 2 && ended == 2);
}
