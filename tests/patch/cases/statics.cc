// Variables with constructors: static ones with guards, of threads with destructors, and those made before main.
#include "case.h"

#include <atomic>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> made{0}, unmade{0};
struct Noisy { int v; Noisy() : v(5) { made++; } ~Noisy() { unmade++; } };
static thread_local Noisy per_thread;
static thread_local int plain = 3;
static std::string early = std::string("made ") + std::string("before main");

static NOINLINE Noisy &guarded() { static Noisy n; n.v++; return n; }
static NOINLINE int template_static(int x) { static const std::vector<int> table = [] { made += 10; return std::vector<int>{1, 2, 3, 5, 8}; }(); return table[(size_t)x % 5]; }
struct alignas(16) Pair { int64_t a, b; };

CASE(statics)
{
	std::vector<std::thread> t;
	std::atomic<uint64_t> sum{0};
	std::mutex m;
	uint64_t locked = 0;
	for (int i = 0; i < 4; i++)
		t.emplace_back([&, i] {
			per_thread.v += i;
			plain += per_thread.v;
			for (int k = 0; k < 500; k++) {
				sum.fetch_add((uint64_t)template_static(k), std::memory_order_relaxed);
				std::lock_guard<std::mutex> g(m);
				locked += (uint64_t)plain > 0;
				guarded();
			}
		});
	for (auto &x : t)
		x.join();
	printf("%s: made %d unmade %d sum %llu locked %llu guarded %d\n", early.c_str(), made.load(), unmade.load(),
		(unsigned long long)sum.load(), (unsigned long long)locked, guarded().v);
	auto shared = std::make_shared<Pair>(Pair{1, 2});
	std::weak_ptr<Pair> weak = shared;
	t.clear();
	for (int i = 0; i < 4; i++)
		t.emplace_back([shared, weak] { for (int k = 0; k < 1000; k++) { auto copy = shared; auto again = weak.lock(); if (!again || copy->b != 2) abort(); } });
	for (auto &x : t)
		x.join();
	t.clear();
	printf("uses %ld\n", shared.use_count());
	std::promise<int> promise;
	auto future = promise.get_future();
	auto other = std::async(std::launch::async, [&promise] { promise.set_value(17); return 4; });
	printf("future %d %d\n", future.get(), other.get());
	std::condition_variable cv;
	int turn = 0;
	uint64_t h = 0;
	auto player = [&](int me) { for (int k = 0; k < 50; k++) { std::unique_lock<std::mutex> l(m); cv.wait(l, [&] { return turn % 2 == me; }); h = mix(h, (uint64_t)me); turn++; cv.notify_all(); } };
	std::thread a(player, 0), b(player, 1);
	a.join(), b.join();
	result("turns", h);
}
