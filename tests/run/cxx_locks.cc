// std::shared_mutex, timed mutexes, recursive_mutex, scoped_lock of two mutexes, call_once, function-local statics.
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

static std::shared_mutex shared;
static std::mutex a, b;
static std::recursive_mutex recursive;
static std::once_flag once;
static int value, initialised, attempts, moved;

struct Table {
	Table() { ++initialised; }
	int answer = 42;
};

static Table &table()
{
	static Table t;
	return t;
}

static int factorial(int n)
{
	std::lock_guard<std::recursive_mutex> lock(recursive);
	return n < 2 ? 1 : n * factorial(n - 1);
}

static void worker(int id)
{
	{
		std::unique_lock<std::shared_mutex> lock(shared);
		value += id;
	}
	{
		std::shared_lock<std::shared_mutex> lock(shared);
		if (value != 1 && value != 2 && value != 3)
			throw std::runtime_error("value");
	}
	if (id == 1) {
		std::scoped_lock both(a, b);
		++moved;
	} else {
		std::scoped_lock both(b, a);
		++moved;
	}
	try {
		std::call_once(once, [] {
			if (++attempts == 1)
				throw std::runtime_error("first attempt fails");
		});
	} catch (const std::runtime_error &) {
	}
	if (table().answer != 42 || factorial(3) != 6)
		throw std::runtime_error("table");
}

int main()
{
	using namespace std::chrono_literals;
	std::thread first(worker, 1), second(worker, 2);
	first.join();
	second.join();
	if (value != 3 || moved != 2 || initialised != 1 || attempts != 2)
		return 1;

	std::timed_mutex timed;
	timed.lock();
	bool got = true;
	std::thread loser([&] { got = timed.try_lock_for(10ms); });
	loser.join();
	timed.unlock();
	if (got)
		return 2;
	std::shared_timed_mutex st;
	st.lock_shared();
	std::thread reader([&] { if ((got = st.try_lock_shared())) st.unlock_shared(); });
	reader.join();
	if (!got)
		return 3;
	std::thread writer([&] { got = st.try_lock_for(5ms); });
	writer.join();
	st.unlock_shared();
	return got ? 4 : 0;
}
