/* An asynchronous logger of spdlog with one worker: two messages from two threads, and shutdown.
 * build: g++ -std=c++17 -g -O1 -pthread -o spdlog_async spdlog_async.cc -lfmt
 */
#include "two.h"
#include <spdlog/async.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/sinks/base_sink.h>
#include <thread>

struct Count : spdlog::sinks::base_sink<std::mutex> {
	int lines = 0;
	void sink_it_(const spdlog::details::log_msg &) override { lines++; }
	void flush_() override {}
};

int main()
{
	auto sink = std::make_shared<Count>();
	{
		auto pool = std::make_shared<spdlog::details::thread_pool>(1, 1);
		auto logger = std::make_shared<spdlog::async_logger>("log", sink, pool, spdlog::async_overflow_policy::block);
		std::thread other([&] { logger->info("a"); });

		logger->info("b");
		other.join();
	}
	assert(sink->lines == 2);
}
