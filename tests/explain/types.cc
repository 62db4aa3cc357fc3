// Members of an object on the heap, in atomics of all sorts and in plain ones.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

enum class State : unsigned char { idle, running, done };

struct Job {
	int id;
	Job *next;
};

struct Counted {
	long uses = 0;
};

template <class T> class Stack : private Counted {
public:
	explicit Stack(int &total) : total_(total)
	{
	}
	void push(T *job)
	{
		uses++;
		top_ = job;
		open_.store(true);
		state_ = State::running;
		weight_ = 1.5;
		last_ = 'z';
		tries_.fetch_add(2);
		pair_.store({ 3, true });
		total_ = 9;
		done_ = true;
	}
	bool seen()
	{
		long sum = uses;
		sum += top_.load() != nullptr;
		sum += open_;
		sum += state_ == State::running;
		sum += weight_ > 1;
		sum += last_;
		sum += tries_;
		sum += pair_.load().b;
		sum += total_;
		return done_ && sum;
	}

private:
	struct Pair {
		int a;
		bool b;
	};
	std::atomic<T *> top_{ nullptr };
	std::atomic<bool> open_{ false };
	std::atomic<State> state_{ State::idle };
	double weight_ = 0;
	char last_ = 0;
	std::atomic<int> tries_{ 0 };
	std::atomic<Pair> pair_{ { 0, false } };
	std::atomic<bool> done_{ false };
	int &total_;
};

static int total;

int main()
{
	auto stack = std::make_unique<Stack<Job>>(total);
	auto job = std::make_unique<Job>();
	std::thread other([&] { stack->push(job.get()); });
	assert(!stack->seen());
	other.join();
}
