#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include "count.h"

TEST_CASE("counts, [locked]")
{
	REQUIRE(count(with_lock) == 2);
}
TEST_CASE("counts, [unlocked]")
{
	REQUIRE(count(without_lock) == 2);
}
TEST_CASE("-hidden", "[.]")
{
	REQUIRE(false);
}
TEST_CASE("-\"last\"")
{
}
