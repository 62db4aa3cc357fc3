// A sequence lock with one writer. The reader tries twice.
// verdict: complete
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> version = 0;
static std::atomic<int> x = 0, y = 0;

static bool read(int &a, int &b)
{
	unsigned before = version.load();
	a = x.load();
	b = y.load();
	return before % 2 == 0 && version.load() == before;
}

int main()
{
	std::thread writer([] {
		version++;
		x = 1;
		y = 1;
		version++;
	});
	for (int i = 0, a, b; i < 2; i++)
		if (read(a, b))
			assert(a == b);
	writer.join();
}
