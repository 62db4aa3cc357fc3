// Coroutines, where the compiler has them (C++20); frames on the heap and resumption through pointers in them.
#include "case.h"

#ifdef __cpp_impl_coroutine
#include <coroutine>
#include <stdexcept>
#include <vector>

struct Generator {
	struct promise_type {
		int value;
		Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int v) { value = v; return {}; }
		void return_void() {}
		void unhandled_exception() { throw; }
	};
	std::coroutine_handle<promise_type> handle;
	explicit Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
	Generator(Generator &&g) noexcept : handle(g.handle) { g.handle = nullptr; }
	~Generator() { if (handle) handle.destroy(); }
	bool next() { handle.resume(); return !handle.done(); }
};
static Generator collatz(int n)
{
	while (n != 1) {
		co_yield n;
		n = n % 2 ? 3 * n + 1 : n / 2;
		if (n > 100000)
			throw std::runtime_error("too much");
	}
}
static Generator nested(int n)
{
	for (int i = 2; i < n; i++) {
		auto inner = collatz(i);
		while (inner.next())
			co_yield inner.handle.promise().value + i;
	}
}

CASE(coroutines)
{
	uint64_t h = 0;
	auto g = nested(60);
	while (g.next())
		h = mix(h, (uint64_t)g.handle.promise().value);
	result("collatz", h);
	try {
		auto big = collatz(703);
		while (big.next())
			h = mix(h, 1);
	} catch (std::exception &e) {
		printf("%s\n", e.what());
	}
	result("end", h);
}
#else
CASE(coroutines) { printf("no coroutines\n"); }
#endif
