// Exceptions thrown and caught in each of several threads at once, rethrown across a join by exception_ptr.
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static int caught;

struct Guard {
	int *counter;
	~Guard() { ++*counter; }
};

static void thrower(int depth, int *unwound)
{
	Guard guard{unwound};
	if (depth == 0)
		throw std::runtime_error("deep");
	thrower(depth - 1, unwound);
}

static void worker(int id, std::exception_ptr *out)
{
	int unwound = 0;
	try {
		thrower(id + 2, &unwound);
	} catch (const std::runtime_error &e) {
		std::lock_guard<std::mutex> lock(mutex);
		if (!std::strcmp(e.what(), "deep") && unwound == id + 3)
			++caught;
	}
	try {
		std::lock_guard<std::mutex> lock(mutex); // unlocked by the unwinder
		throw std::out_of_range(std::to_string(id));
	} catch (...) {
		*out = std::current_exception();
	}
}

int main()
{
	std::exception_ptr errors[2];
	std::vector<std::thread> threads;
	for (int i = 0; i < 2; i++)
		threads.emplace_back(worker, i, &errors[i]);
	for (auto &t : threads)
		t.join();
	if (caught != 2)
		return 1;
	for (int i = 0; i < 2; i++) {
		try {
			std::rethrow_exception(errors[i]);
		} catch (const std::out_of_range &e) {
			if (e.what() != std::to_string(i))
				return 2;
		}
	}
	try { // relocking a mutex that is not held: no exception
		std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
		if (!lock.owns_lock())
			return 3;
		lock.lock(); // throws: already owns it
		return 4;
	} catch (const std::system_error &e) {
		if (e.code() != std::errc::resource_deadlock_would_occur)
			return 5;
	}
	return 0;
}
