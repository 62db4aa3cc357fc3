/* Names of functions, and which of them belong to the system (recorder/symbols/symbols_names.c, symbols_shorten). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/symbols/symbols_internal.h"

static void expect_short(const char *name, const char *expected)
{
	char *text = symbols_shorten(strdup(name));

	assert_string_equal(text, expected);
	free(text);
}

static void test_short_names(void **state)
{
	expect_short("LruCache<std::string, std::pair<int, long> >::get", "LruCache<…>::get");
	expect_short("a::Pair<int, std::vector<long> >::Node<unsigned long long>::go", "a::Pair<…>::Node<…>::go");
	expect_short("teller<int>::serve", "teller<int>::serve");
	expect_short("std::to_string[abi:cxx11]", "std::to_string");
	expect_short("make[abi:cxx11]<std::basic_string<char> >", "make<…>");
	expect_short("operator<< <std::char_traits<char> >", "operator<< <std::char_traits<char> >");
	expect_short("Key::operator<", "Key::operator<");
	expect_short("Key::operator<=>", "Key::operator<=>");
	expect_short("Box<std::vector<int> >::operator->", "Box<…>::operator->");
	expect_short("my_operator<std::vector<int> >", "my_operator<…>");
	expect_short("Test::TestBody()::{lambda()#1}::operator()", "Test::TestBody()::{lambda()#1}::operator()");
	expect_short("<std::sys::thread::unix::Thread>::new", "<std::sys::thread::unix::Thread>::new");
	expect_short("<alloc::Handle<alloc::node::NodeRef<usize>> as core::Drop>::drop", "<alloc::Handle<…> as core::Drop>::drop");
	expect_short("call::<fn(usize) -> alloc::vec::Vec<usize>>::once", "call::<…>::once");
	expect_short("broken<std::vector<int>::get", "broken<std::vector<int>::get");
	expect_short("broken[abi:cxx11", "broken[abi:cxx11");
	expect_short("", "");
	assert_null(symbols_shorten(NULL));
}

static void test_system_paths(void **state)
{
	assert_true(symbols_system_path("/usr/include/c++/12/bits"));
	assert_true(symbols_system_path("/rustc/59807616e1fa/library/core/src/sync"));
	assert_true(symbols_system_path("/home/user/.rustup/toolchains/stable/lib/rustlib/src/rust/library/std/src/thread"));
	assert_true(symbols_system_path("/usr/src/rustc-1.63.0/library/core/src/sync"));
	assert_true(symbols_system_path("/builddir/build/BUILD/rustc-1.80.1-src/vendor/hashbrown-0.14.5/src"));
	assert_false(symbols_system_path("/home/me/rustlib/src"));
	assert_false(symbols_system_path("/home/me/rustc-tests/library/src"));
	assert_false(symbols_system_path("/home/me/rustc-1.63.0/src/library"));
	assert_false(symbols_system_path("/home/me/rustc/src"));
}

static void expect_user(char *dir, char *file, bool user)
{
	struct rec_frame f = {.function = "f", .dir = dir, .file = file};

	symbols_classify(&f);
	assert_int_equal(f.flags, user ? REC_FRAME_USER : 0);
}

static void test_frameworks(void **state)
{
	expect_user("/home/me/q", "catch.hpp", false);
	expect_user("/home/me/q", "queue.hpp", true);
	assert_true(symbols_framework_file("/home/me/q/third_party", "catch.hpp"));
	assert_true(symbols_framework_file("/home/me/q/_deps/catch2-src/src/catch2/internal", "catch_run_context.cpp"));
	assert_true(symbols_framework_file("/home/me/q/tests", "catch_amalgamated.cpp"));
	assert_true(symbols_framework_file("/home/me/q/_deps/googletest-src/googletest/src", "gtest.cc"));
	assert_true(symbols_framework_file("/home/me/q/include/gtest/internal", "gtest-internal.h"));
	assert_true(symbols_framework_file("/home/me/boost_1_80/boost/test/impl", "framework.ipp"));
	assert_false(symbols_framework_file("/home/me/q/tests", "catch_all.cpp"));
	assert_false(symbols_framework_file("/home/me/gtest/tests", "queue_test.cc"));
	assert_false(symbols_framework_file("/home/me/q/tests", "gtest_of_queue.cc"));
}

static void test_rust_names(void **state)
{
	assert_true(symbols_rust_mangled("_ZN5alloc7raw_vec11finish_grow17h0123456789abcdefE"));
	assert_true(symbols_rust_mangled("_RNvNtCs1234_4core9panicking9panic_fmt"));
	assert_false(symbols_rust_mangled("_ZN4core5queue4pushEv"));
	assert_false(symbols_rust_mangled("_ZN4core1E"));
	assert_false(symbols_rust_mangled("main"));
	assert_true(symbols_rust_std("core::panicking::panic_fmt"));
	assert_true(symbols_rust_std("<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop"));
	assert_true(symbols_rust_std("std::thread::park"));
	assert_false(symbols_rust_std("<queue::Queue as core::ops::drop::Drop>::drop"));
	assert_false(symbols_rust_std("queue::main"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short_names),
		cmocka_unit_test(test_system_paths),
		cmocka_unit_test(test_frameworks),
		cmocka_unit_test(test_rust_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
