/* C++: a static that the first thread to use it initializes, objects with reference counts, and a counter that is read and written in two steps. */
#include <cassert>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include "window.h"
struct table {
	std::vector<std::string> names{"one", "two"};
	std::mutex lock;
	int uses = 0;
};
static std::shared_ptr<table> the_table()
{
	static std::shared_ptr<table> made = std::make_shared<table>();

	return made;
}
static void use(int i)
{
	auto t = the_table();
	std::unique_lock<std::mutex> hold(t->lock);
	int n = t->uses;
	std::string name = t->names[i] + " is longer than what fits into a string";

	hold.unlock();
	window(1);
	hold.lock();
	t->uses = n + 1;
	t->names.push_back(name);
}
int main()
{
	std::thread a(use, 0), b(use, 1);

	a.join();
	b.join();
	assert(the_table()->uses == 2);
	return 0;
}
