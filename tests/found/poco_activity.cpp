/* Activity of POCO 1.11.0, reduced: the thread clears `running` and then sets the event. If wait() reads `running`
 * in between, it returns at once, and the destructor destroys the event that the thread is about to set.
 * docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=misuse replays=3 says=use_of_an_object_after_it_was_destroyed : --
 */
#include <atomic>
#include <pthread.h>
#include <thread>

struct event {
	bool state = false;
	pthread_mutex_t mutex;
	pthread_cond_t cond;

	event()
	{
		pthread_mutex_init(&mutex, nullptr);
		pthread_cond_init(&cond, nullptr);
	}
	~event()
	{
		pthread_cond_destroy(&cond);
		pthread_mutex_destroy(&mutex);
	}
	void set()
	{
		pthread_mutex_lock(&mutex);
		state = true;
		pthread_cond_broadcast(&cond);
		pthread_mutex_unlock(&mutex);
	}
	void wait()
	{
		pthread_mutex_lock(&mutex);
		while (!state)
			pthread_cond_wait(&cond, &mutex);
		pthread_mutex_unlock(&mutex);
	}
};

struct activity {
	std::atomic<bool> running{true};
	event done;

	~activity()
	{
		if (running)
			done.wait();
	}
	void run()
	{
		running = false;
		done.set();
	}
};

int main()
{
	std::thread thread;

	{
		activity a;

		thread = std::thread(&activity::run, &a);
	}
	thread.join();
}
