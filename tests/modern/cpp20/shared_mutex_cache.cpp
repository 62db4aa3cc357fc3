// A cache looks up under a shared lock and inserts under an exclusive one, after a second look.
// verdict: complete
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

class cache {
public:
	int get(int key)
	{
		{
			std::shared_lock lock(m_);
			if (auto it = values_.find(key); it != values_.end())
				return it->second;
		}
		std::unique_lock lock(m_);
		auto [it, fresh] = values_.try_emplace(key, key * key);
		made_ += fresh;
		return it->second;
	}
	int made() const { return made_; }

private:
	std::shared_mutex m_;
	std::map<int, int> values_;
	int made_ = 0;
};

int main()
{
	cache squares;
	std::thread a([&] { assert(squares.get(3) == 9); }), b([&] { assert(squares.get(3) == 9); });
	a.join();
	b.join();
	assert(squares.made() == 1);
}
