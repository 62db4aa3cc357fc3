// The first of two mirrors answers, but the test of the flag and setting it are two steps: the promise is satisfied twice, which throws.
// verdict: bug
#include <atomic>
#include <cassert>
#include <future>
#include <string>
#include <thread>

class first_answer {
	std::promise<std::string> promise;
	std::atomic<bool> answered = false;

public:
	void offer(const std::string &text)
	{
		if (!answered) {
			answered = true;
			promise.set_value(text);
		}
	}
	std::string get() { return promise.get_future().get(); }
};

int main()
{
	first_answer answer;
	std::thread east([&] { answer.offer("east"); }), west([&] { answer.offer("west"); });
	assert(answer.get().size() == 4);
	east.join();
	west.join();
}
