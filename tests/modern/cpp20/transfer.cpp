// Transfers between two accounts lock both with std::scoped_lock.
// verdict: complete
// unfinished: std::lock tries again and again; two turns are tried
#include <cassert>
#include <mutex>
#include <thread>

struct account {
	std::mutex m;
	int balance;
};

static void transfer(account &from, account &to, int amount)
{
	std::scoped_lock lock(from.m, to.m);
	from.balance -= amount;
	to.balance += amount;
}

int main()
{
	account a{{}, 10}, b{{}, 10};
	std::thread t([&] { transfer(a, b, 3); });
	transfer(b, a, 5);
	t.join();
	assert(a.balance == 12 && b.balance == 8);
}
