/* absl WHAT: absl::Mutex. writers: two threads take it three times. try_reader: one thread only tries. nested: a reader reads again. opposite: two locks in opposite orders. */
#include <absl/synchronization/mutex.h>
#include <cstring>
#include <thread>

static absl::Mutex first, second;
static int value;

static void add_to(int times)
{
	for (int i = 0; i < times; i++) {
		absl::MutexLock lock(&first);
		value++;
	}
}

static void try_reader()
{
	if (first.ReaderTryLock())
		first.ReaderUnlock();
}

static void nested()
{
	absl::ReaderMutexLock outer(&first);
	absl::ReaderMutexLock inner(&first);
}

static void both(absl::Mutex *a, absl::Mutex *b)
{
	absl::MutexLock outer(a);
	absl::MutexLock inner(b);
	value++;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
	if (!strcmp(what, "opposite")) {
		std::thread other([] { both(&first, &second); });
		both(&second, &first);
		other.join();
		return 0;
	}
	std::thread other(add_to, !strcmp(what, "writers") ? 3 : 1);
	if (!strcmp(what, "writers"))
		add_to(3);
	else if (!strcmp(what, "try_reader"))
		try_reader();
	else
		nested();
	other.join();
}
