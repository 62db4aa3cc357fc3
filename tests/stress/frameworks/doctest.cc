#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include "count.h"

TEST_SUITE("counts")
{
	TEST_CASE("counts, locked")
	{
		REQUIRE(count(with_lock) == 2);
	}
	TEST_CASE("counts, unlocked")
	{
		REQUIRE(count(without_lock) == 2);
	}
	TEST_CASE("Counts, locked" * doctest::skip())
	{
		REQUIRE(false);
	}
}
TEST_CASE("last")
{
}
