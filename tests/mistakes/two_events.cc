// One thread waits until the engine is warm, one until it is loaded, on one condition variable. Each event is signalled once.
// kind: wrong-waiter
// says: which waited again (two_events.cc:
// says: was waiting as well (two_events.cc:
// says: nothing fails
#define CATCH_CONFIG_FAST_COMPILE
#include <catch2/catch.hpp>

#include <pthread.h>

#include <thread>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static bool warm, loaded;

static void wait_for(const bool &what)
{
	pthread_mutex_lock(&lock);
	while (!what)
		pthread_cond_wait(&event, &lock);
	pthread_mutex_unlock(&lock);
}

static void announce(bool &what)
{
	pthread_mutex_lock(&lock);
	what = true;
	pthread_cond_signal(&event);
	pthread_mutex_unlock(&lock);
}

TEST_CASE("the engine starts")
{
	std::thread driver([] { wait_for(warm); });
	std::thread stoker([] { wait_for(loaded); });

	announce(loaded);
	stoker.join();
	announce(warm);
	driver.join();
	REQUIRE(loaded);
}
