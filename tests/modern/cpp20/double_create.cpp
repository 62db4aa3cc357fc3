// After giving up the shared lock for the exclusive one, the cache does not look again: both threads create the same session.
// verdict: bug
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct session {
	int user, id;
};

class sessions {
	std::shared_mutex m;
	std::map<int, std::unique_ptr<session>> open;
	int next_id = 1;

public:
	int id_of(int user)
	{
		{
			std::shared_lock lock(m);
			auto found = open.find(user);
			if (found != open.end())
				return found->second->id;
		}
		std::unique_lock lock(m);
		auto created = std::make_unique<session>(session{user, next_id++});
		int id = created->id;
		open[user] = std::move(created);
		return id;
	}
};

int main()
{
	sessions s;
	int theirs = 0;
	std::thread other([&] { theirs = s.id_of(7); });
	int mine = s.id_of(7);
	other.join();
	assert(mine == theirs);
}
