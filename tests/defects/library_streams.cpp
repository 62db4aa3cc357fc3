/* Threads that print to the standard streams, or each to its own stream, share nothing that they could observe: libstdc++ reads and writes a width
 * of 0, and tables that are always filled in the same way (own and throw: two orders of what libc does under a lock).
 * build: g++ -g -O0 -std=c++17 -pthread
 * build: clang++ -g -O2 -std=c++17 -pthread
 * check: complete traces=1 never=data_race : -- shared
 * check: complete traces=2 never=data_race : -- own
 * long: complete traces=2 : -- throw
 * long: bug : -- width
 */
#include <cassert>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

static std::string format(int i)
{
	std::ostringstream s;
	s << i << ' ' << 0.5 << std::endl;
	return s.str();
}

static std::string caught(int i)
{
	try {
		throw std::runtime_error(std::to_string(i));
	} catch (const std::exception &e) {
		return e.what();
	}
}

template <class F, class G> static void both(F f, G g)
{
	std::thread a(f), b(g);
	a.join();
	b.join();
}

int main(int argc, char **argv)
{
	assert(argc > 1);
	std::string x, y;
	if (!strcmp(argv[1], "shared")) {
		both([] { std::cout << "one " << 1 << std::endl; }, [] { std::cout << "two " << 2 << std::endl; });
	} else if (!strcmp(argv[1], "own")) {
		both([&] { x = format(1); }, [&] { y = format(2); });
		assert(x == "1 0.5\n" && y == "2 0.5\n");
	} else if (!strcmp(argv[1], "throw")) {
		both([&] { x = caught(1); }, [&] { y = caught(2); });
		assert(x == "1" && y == "2");
	} else { /* the width that one thread sets, another one finds */
		both([] { std::cout << std::setw(8) << "one"; }, [] { assert(std::cout.width() == 0); });
	}
	return 0;
}
