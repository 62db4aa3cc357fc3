// The logger is deleted while a thread that was not joined still writes to it.
// kind: after-end
// says: T0 freed the block (deleted_logger.cc:
// says: without waiting for T0.1, which used it after that (deleted_logger.cc:
#define CATCH_CONFIG_FAST_COMPILE
#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

struct Logger {
	std::atomic<int> lines{0};
	std::atomic<bool> open{true};

	void write() { lines++; }
};

TEST_CASE("the logger counts lines")
{
	auto *logger = new Logger;
	std::thread writer([&, logger] { logger->write(); });

	logger->open = false;
	int lines = logger->lines;
	delete logger;
	writer.join();
	REQUIRE(lines >= 0);
}
