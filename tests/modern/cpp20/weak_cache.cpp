// A cache of weak pointers: users of one font share it, and it is loaded again after the last user has dropped it.
// verdict: complete
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct font {
	std::string name;
};

class fonts {
	std::mutex m;
	std::map<std::string, std::weak_ptr<font>> known;
	int loaded = 0;

public:
	std::shared_ptr<font> get(const std::string &name)
	{
		std::lock_guard lock(m);
		auto &entry = known[name];
		auto found = entry.lock();
		if (!found) {
			found = std::make_shared<font>(font{name});
			entry = found;
			loaded++;
		}
		return found;
	}

	int loads()
	{
		std::lock_guard lock(m);
		return loaded;
	}
};

int main()
{
	fonts all;
	auto draw = [&] { assert(all.get("serif")->name == "serif"); };
	std::thread other(draw);
	draw();
	other.join();
	assert(all.loads() == 1 || all.loads() == 2);
}
