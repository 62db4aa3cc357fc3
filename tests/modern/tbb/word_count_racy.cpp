// Two threads count words in a concurrent_hash_map. Each looks whether the word is there, gives the entry back, and then inserts it or adds to it: the other one may come in between.
// verdict: bug
#include <cassert>
#include <string>
#include <tbb/concurrent_hash_map.h>
#include <thread>

using counts = tbb::concurrent_hash_map<std::string, int>;

static void count(counts &words, const std::string &word)
{
	int before = 0;
	{
		counts::const_accessor entry;
		if (words.find(entry, word))
			before = entry->second;
	}
	counts::accessor entry;
	words.insert(entry, word);
	entry->second = before + 1;
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
