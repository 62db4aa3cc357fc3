// The settings are published before their limit is set.
// kind: published-early
// says: T0.2 stored current
// says: before it wrote load_settings::loaded.limit
// says: nothing fails
#define CATCH_CONFIG_FAST_COMPILE
#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

struct Settings {
	int limit = 0;
	int spare = 0;
};

static std::atomic<Settings *> current{nullptr};
static std::atomic<int> requests{0};

static void load_settings()
{
	static Settings loaded;

	current.store(&loaded);
	loaded.spare = 1;
	loaded.limit = 10;
}

static int serve()
{
	Settings *s = current.load();

	requests++;
	if (!s)
		return 1; /* the default */
	return s->limit;
}

TEST_CASE("there is always a limit")
{
	int limit = 1;
	std::thread server([&] { limit = serve(); });
	std::thread loader(load_settings);

	server.join();
	loader.join();
	REQUIRE(limit > 0);
}
