// latch: count_down of libstdc++ 12 lowers the count with release and then reads, with seq_cst, whether threads wait.
// Under C11 it may read the older value: the thread that waits is not woken.
#include <latch>
#include <thread>

static std::latch latch(2);

int main()
{
	std::thread thread([] { latch.count_down(); });
	latch.arrive_and_wait();
	thread.join();
	return 0;
}
