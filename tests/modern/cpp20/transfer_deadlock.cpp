// Transfers lock the two accounts in the order of their arguments.
// verdict: bug
#include <mutex>
#include <thread>

struct account {
	std::mutex m;
	int balance = 10;
};

static void transfer(account &from, account &to, int amount)
{
	std::lock_guard first(from.m);
	std::lock_guard second(to.m);
	from.balance -= amount;
	to.balance += amount;
}

int main()
{
	account a, b;
	std::thread t([&] { transfer(a, b, 3); });
	transfer(b, a, 5);
	t.join();
}
