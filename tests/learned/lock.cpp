/* A lock in a class, as programs have it: its instruction is in a wrapper when nothing is optimised. INLINED: the compiler puts it into its
   callers. HEAP: it is on the heap. */
#include <atomic>
#include <cstdlib>
#include <thread>

#ifdef INLINED
#define PLACED __attribute__((always_inline)) inline
#else
#define PLACED __attribute__((noinline))
#endif

namespace app {
template <typename Word> class SpinLock {
public:
	PLACED void lock()
	{
		Word free = 0;
		while (!word.compare_exchange_strong(free, 1)) {
			free = 0;
			std::this_thread::yield();
		}
	}
	PLACED void unlock() { word.store(0); }

private:
	std::atomic<Word> word{0};
};

struct Queue {
	SpinLock<unsigned> guard;
	int items = 0;
};
} // namespace app

#ifdef HEAP
static app::Queue *const queue_at = new app::Queue;
#define queue (*queue_at)
#else
static app::Queue queue;
#endif
static int threads, rounds;

__attribute__((noinline)) static void push()
{
	queue.guard.lock();
	queue.items++;
	queue.guard.unlock();
}

static void work()
{
	for (int i = 0; i < rounds; i++)
		push();
}

int main(int argc, char **argv)
{
	std::thread t[8];
	threads = argc > 1 ? atoi(argv[1]) : 2;
	rounds = argc > 2 ? atoi(argv[2]) : 2;
	for (int i = 0; i < threads; i++)
		t[i] = std::thread(work);
	for (int i = 0; i < threads; i++)
		t[i].join();
	return queue.items != threads * rounds;
}
