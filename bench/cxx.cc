// Two threads that use libstdc++: measures the start-up cost of observing that library.
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex lock;
static std::map<int, std::string> names;

static void add(int from)
{
	for (int i = 0; i < 3; i++) {
		std::ostringstream text;
		text << "number " << from + i;
		std::lock_guard<std::mutex> guard(lock);
		names[from + i] = text.str();
	}
}

int main()
{
	std::thread one(add, 0), two(add, 10);
	one.join();
	two.join();
	std::cout << names.size() << '\n';
	return names.size() != 6;
}
