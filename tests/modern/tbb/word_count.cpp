// Two threads count words in a concurrent_hash_map; an accessor locks the entry while it is changed.
// verdict: complete
#include <cassert>
#include <string>
#include <tbb/concurrent_hash_map.h>
#include <thread>

using counts = tbb::concurrent_hash_map<std::string, int>;

static void count(counts &words, const std::string &word)
{
	counts::accessor entry;
	words.insert(entry, word);
	entry->second++;
}

int main()
{
	counts words;
	std::thread other([&] { count(words, "the"); });
	count(words, "the");
	other.join();
	counts::const_accessor entry;
	assert(words.find(entry, "the"));
	assert(entry->second == 2);
}
