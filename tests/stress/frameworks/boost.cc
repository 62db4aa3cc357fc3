#define BOOST_TEST_MODULE boost
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include "count.h"

BOOST_AUTO_TEST_SUITE(counts)
BOOST_AUTO_TEST_SUITE(inside)
BOOST_AUTO_TEST_CASE(locked)
{
	BOOST_TEST(count(with_lock) == 2);
}
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_CASE(unlocked, *boost::unit_test::description("a colon: and *"))
{
	BOOST_TEST(count(without_lock) == 2);
}
BOOST_AUTO_TEST_CASE(off, *boost::unit_test::disabled())
{
	BOOST_TEST(false);
}
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_CASE(last)
{
}
