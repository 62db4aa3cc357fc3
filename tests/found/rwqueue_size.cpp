/* size_approx of readerwriterqueue 1.0.6, reduced: a full queue links a new block without a release, and a thread that
 * counts the entries follows the link. docs/found.md has more.
 * build: g++ -std=c++17 -fsanitize=thread -Wno-tsan -O0 -g -pthread
 * build: clang++ -std=c++17 -fsanitize=thread -shared-libsan -O0 -g -pthread
 * check: bug kind=crash replays=3 says=with_release_at_rwqueue.size.cpp.30 : --model rc11 --
 */
#include <atomic>
#include <cstddef>
#include <thread>

struct block {
    std::atomic<block *> next;
    std::atomic<size_t> used;
};

struct queue {
    block first;
    std::atomic<block *> tail;
    queue()
    {
        first.next = &first;
        first.used = 1;
        tail = &first;
    }
    void add_block()
    {
        block *b = new block, *last = tail.load(std::memory_order_relaxed);
        b->used.store(1, std::memory_order_relaxed);
        b->next.store(last->next.load(std::memory_order_relaxed), std::memory_order_relaxed);
        last->next.store(b, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release); // one statement too late
        tail.store(b, std::memory_order_relaxed);
    }
    size_t size()
    {
        size_t sum = 0;
        block *b = &first;
        do {
            std::atomic_thread_fence(std::memory_order_acquire);
            sum += b->used.load(std::memory_order_relaxed);
            b = b->next.load(std::memory_order_relaxed);
        } while (b != &first);
        return sum;
    }
};

int main()
{
    queue q;
    std::thread producer([&] { q.add_block(); });
    std::thread counter([&] { q.size(); });
    producer.join();
    counter.join();
    return 0;
}
