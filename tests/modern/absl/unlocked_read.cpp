// The balance is checked under the lock, but the money is withdrawn in a second critical section.
// verdict: bug
#include <absl/synchronization/mutex.h>
#include <cassert>
#include <thread>

class account {
	absl::Mutex m;
	int balance = 10;

public:
	int get()
	{
		absl::MutexLock lock(&m);
		return balance;
	}
	void withdraw(int amount)
	{
		if (get() < amount)
			return;
		absl::MutexLock lock(&m);
		balance -= amount;
		assert(balance >= 0);
	}
};

int main()
{
	account a;
	std::thread other([&] { a.withdraw(10); });
	a.withdraw(10);
	other.join();
}
