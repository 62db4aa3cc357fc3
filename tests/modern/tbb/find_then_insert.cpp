// count() and insert() of a concurrent map are two steps: both threads believe that they registered the name.
// verdict: bug
#include <atomic>
#include <cassert>
#include <string>
#include <tbb/concurrent_hash_map.h>
#include <thread>

using registry = tbb::concurrent_hash_map<std::string, int>;

static bool register_name(registry &names, const std::string &name, int owner)
{
	if (names.count(name))
		return false;
	names.insert({name, owner});
	return true;
}

int main()
{
	registry names;
	std::atomic<int> registered = 0;
	auto attempt = [&](int owner) { registered += register_name(names, "printer", owner); };
	std::thread other(attempt, 1);
	attempt(2);
	other.join();
	assert(registered == 1);
}
