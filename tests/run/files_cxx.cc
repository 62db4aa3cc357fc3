/* Streams and std::filesystem: a tree is created, changed by threads, moved and removed; a file without a name grows. */
#include <filesystem>
#include <fstream>
#include <thread>
#include <cstdio>
#include <cassert>
#include <mutex>
#include <cstring>
namespace fs = std::filesystem;
static std::mutex m;
static FILE *tf;
static int n;

int main()
{
	fs::create_directories("a/b/c");
	std::ofstream("a/b/c/x") << "1";
	tf = tmpfile();
	fputs("abc", tf);
	fflush(tf);
	auto w = [&](int i) {
		std::lock_guard<std::mutex> l(m);
		assert(fs::file_size("a/b/c/x") == (size_t)(1 + n));
		n++;
		std::ofstream("a/b/c/x", std::ios::app) << i;
		fputc('d', tf);
		fflush(tf);
	};
	std::thread t1(w, 1), t2(w, 2);
	t1.join();
	t2.join();
	char buf[16] = {};
	rewind(tf);
	assert(fread(buf, 1, 15, tf) == 5);
	assert(!strcmp(buf, "abcdd"));
	fs::rename("a/b", "d");
	fs::remove_all("a");
	assert(fs::exists("d/c/x"));
	fs::remove_all("d");
}
