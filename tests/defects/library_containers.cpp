/* Two threads use one object of the C++ library, without a lock or, with "locked", under one. Much of the work is done by functions inside
 * libstdc++.so (the nodes of lists and trees, growing strings, formatted output), which simul once did not see: it called these programs complete.
 * build: g++ -g -O0 -std=c++17 -pthread
 * build: clang++ -g -O2 -std=c++17 -pthread
 * check: bug : -- list
 * check: bug : -- splice
 * check: bug : -- stream
 * check: complete traces=2 : -- list locked
 * check: complete traces=2 : -- stream locked
 * long: bug : -- map
 * long: bug : -- hash
 * long: bug : -- string
 * long: bug : -- shared
 * long: bug replays=5 : --isolation exec -- list
 * long: bug replays=5 : --isolation fork --model tso -- list
 * long: bug : --jobs 2 --keep-going -- list
 * long: bug : --threads kernel -- list
 * long: complete traces=2 : -- splice locked
 * long: complete traces=2 : -- map locked
 * long: complete traces=2 : -- hash locked
 * long: complete traces=2 : -- string locked
 * long: complete traces=2 : -- shared locked
 * long: complete traces=2 : --isolation exec -- stream locked
 * long: complete traces=2 : --model pso -- map locked
 */
#include <cassert>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>

static std::mutex mutex;
static bool locked;

template <class F> static void two(F f)
{
	auto one = [&](int i) {
		std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
		if (locked)
			lock.lock();
		f(i);
	};
	std::thread a(one, 0), b(one, 1);
	a.join();
	b.join();
}

template <class C> static int length(const C &c)
{
	int n = 0;
	for (auto &x : c)
		(void)x, n++;
	return n;
}

int main(int argc, char **argv)
{
	assert(argc > 1);
	const char *what = argv[1];
	locked = argc > 2;
	if (!strcmp(what, "list")) {
		std::list<int> l;
		two([&](int i) { l.push_back(i); });
		assert(length(l) == 2);
	} else if (!strcmp(what, "splice")) { /* readers that write */
		std::list<int> from[2] = {{1}, {2}}, to;
		std::shared_mutex readers;
		two([&](int i) {
			std::shared_lock<std::shared_mutex> reader(readers, std::defer_lock);
			if (!locked)
				reader.lock();
			to.splice(to.end(), from[i]);
		});
		assert(length(to) == 2);
	} else if (!strcmp(what, "stream")) {
		std::ostringstream s;
		two([&](int i) { s << (i ? "one" : "two"); });
		assert(s.str().size() == 6);
	} else if (!strcmp(what, "map")) {
		std::map<int, int> m;
		two([&](int i) { m[i] = i; });
		assert(length(m) == 2 && m.count(0) && m.count(1));
	} else if (!strcmp(what, "hash")) {
		std::unordered_map<int, int> m;
		two([&](int i) { m[i] = i; });
		assert(length(m) == 2 && m.count(0) && m.count(1));
	} else if (!strcmp(what, "string")) {
		std::string s;
		two([&](int i) { s += i ? "1" : "0"; });
		assert(s == "01" || s == "10");
	} else {
		auto first = std::make_shared<int>(0), p = std::make_shared<int>(1);
		std::weak_ptr<int> w = p;
		two([&](int) { p = first; });
		assert(w.expired() && p == first && first.use_count() == 2);
	}
	return 0;
}
