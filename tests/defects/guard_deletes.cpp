/*
 * The last user deletes the object that holds the mutex which its guard unlocks at the end of the scope. simul called it "the program wrote over a mutex that it
 * holds", without the delete. With an argument the delete comes after the scope, which is right.
 * check: bug kind=memory says=T0.1_freed_at replays=20 : --
 * check: complete traces=2 : --strategy optimal -- fixed
 */
#include <mutex>
#include <thread>

static bool fixed;

struct Shared {
	std::mutex m;
	int users = 2;
};

static void leave(Shared *s)
{
	bool last;
	{
		std::lock_guard<std::mutex> l(s->m);
		last = --s->users == 0;
		if (last && !fixed) {
			delete s;
			return;
		}
	}
	if (last)
		delete s;
}

int main(int argc, char **)
{
	fixed = argc > 1;
	Shared *s = new Shared;
	std::thread t(leave, s);
	leave(s);
	t.join();
}
