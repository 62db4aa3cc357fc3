// C++ as the compiler instruments it: reference counts, virtual tables, function-local statics, locks.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#define MUST(c) ((c) ? (void)0 : (std::fprintf(stderr, "line %d: not %s\n", __LINE__, #c), std::exit(1)))

static std::atomic<int> alive;

struct shape {
	shape() { alive++; }
	virtual ~shape() { alive--; }
	virtual int corners() const = 0;
};
struct square : shape {
	int corners() const override { return 4; }
};
struct triangle : shape {
	int corners() const override { return 3; }
};

struct alignas(16) pair {
	long a, b;
};

static const std::string &greeting()
{
	static const std::string text = "a text that is too long to be kept inside the object";
	return text;
}

int main()
{
	std::shared_ptr<shape> one = std::make_shared<square>(), other = std::make_shared<triangle>();
	std::vector<int> list;
	std::mutex mutex;
	std::atomic<pair> both{pair{1, 2}};
	auto work = [&](int n) {
		std::shared_ptr<shape> mine = n ? one : other;
		{
			std::lock_guard<std::mutex> lock(mutex);
			list.push_back(mine->corners());
		}
		pair found = both.load(), next;
		do
			next = pair{found.a + 1, found.b + 2};
		while (!both.compare_exchange_weak(found, next));
		MUST(greeting().size() == 52);
	};
	std::thread t(work, 1);
	work(0);
	t.join();
	MUST(list.size() == 2 && list[0] + list[1] == 7);
	pair found = both.load();
	MUST(found.a == 3 && found.b == 6);
	MUST(alive == 2 && one.use_count() == 1 && other.use_count() == 1);
	one.reset();
	other.reset();
	MUST(alive == 0);
}
