// upgrade_to_writer() returns false if it had to give the read lock up; the value that was read before is used all the same.
// verdict: bug
#include <cassert>
#include <tbb/spin_rw_mutex.h>
#include <thread>

class counter {
	tbb::spin_rw_mutex m;
	int value = 0;

public:
	void add(int limit)
	{
		tbb::spin_rw_mutex::scoped_lock lock(m, false);
		int seen = value;
		if (seen < limit) {
			lock.upgrade_to_writer();
			value = seen + 1;
		}
	}
	int get() const { return value; }
};

int main()
{
	counter c;
	std::thread other([&] { c.add(5); });
	c.add(5);
	other.join();
	assert(c.get() == 2);
}
