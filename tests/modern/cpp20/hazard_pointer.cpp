// A reader announces the node that it reads as a hazard and looks again; the writer frees the old node only if it is not announced.
// verdict: complete
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

struct node {
	int version, copy;
};

static std::atomic<node *> current = new node{1, 1};
static std::atomic<node *> hazard = nullptr;

static int read()
{
	node *seen;
	do {
		seen = current.load();
		hazard.store(seen);
	} while (current.load() != seen);
	int version = seen->version;
	assert(seen->copy == version);
	hazard.store(nullptr);
	return version;
}

static void publish(int version, std::vector<std::unique_ptr<node>> &retired)
{
	retired.emplace_back(current.exchange(new node{version, version}));
	std::erase_if(retired, [](auto &n) { return hazard.load() != n.get(); });
}

int main()
{
	std::vector<std::unique_ptr<node>> retired;
	std::thread reader([] {
		int version = read();
		assert(version >= 1 && version <= 2);
	});
	publish(2, retired);
	reader.join();
	assert(current.load()->version == 2);
	delete current.load();
}
