// A cancelled thread leaves its loop without arrive_and_drop: the other one may have seen no cancellation yet, and waits at the barrier for ever.
// verdict: bug
#include <atomic>
#include <barrier>
#include <thread>

class simulation {
	std::barrier<> step{2};
	std::atomic<bool> cancelled = false;
	int cells[2] = {1, 1};

public:
	void cancel() { cancelled = true; }

	void compute(int mine)
	{
		for (int i = 0; i < 2; i++) {
			if (cancelled)
				return;
			cells[mine] *= 2;
			step.arrive_and_wait();
		}
	}
};

int main()
{
	simulation s;
	std::thread left([&] { s.compute(0); }), right([&] { s.compute(1); });
	s.cancel();
	left.join();
	right.join();
}
