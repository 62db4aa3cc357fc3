// Two transfers lock their accounts in opposite orders, without Abseil's own detection of such orders.
// verdict: bug
#include <absl/synchronization/mutex.h>
#include <thread>

struct account {
	absl::Mutex m;
	int balance = 10;
};

static void transfer(account &from, account &to, int amount)
{
	absl::MutexLock first(&from.m);
	absl::MutexLock second(&to.m);
	from.balance -= amount;
	to.balance += amount;
}

int main()
{
	absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
	account savings, current;
	std::thread other([&] { transfer(savings, current, 3); });
	transfer(current, savings, 4);
	other.join();
}
