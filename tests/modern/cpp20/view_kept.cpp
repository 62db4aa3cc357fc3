// lookup() returns a string_view into the map; it is used after the lock is released, when another thread may have replaced the string.
// verdict: bug
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

class settings {
	std::mutex m;
	std::map<std::string, std::string> values{{"proxy", "http://proxy.example.org:8080/default"}};

public:
	std::string_view lookup(const std::string &key)
	{
		std::lock_guard lock(m);
		return values.at(key);
	}

	void set(const std::string &key, std::string value)
	{
		std::lock_guard lock(m);
		values[key] = std::move(value);
	}
};

int main()
{
	settings s;
	std::thread reload([&] { s.set("proxy", std::string("http://another.example.org:3128/for-all-of-us")); });
	std::string_view proxy = s.lookup("proxy");
	assert(proxy.starts_with("http://"));
	assert(proxy.find(':', 7) != proxy.npos);
	reload.join();
}
