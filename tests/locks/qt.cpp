// Two threads with locks of Qt. `mutex`: each locks it three times, so there are 20 orders. `try`: the second thread only tries. `until`: with a timeout, which an
// assertion denies. `opposite`: two locks in opposite orders. `recursive`: a QRecursiveMutex, which its holder takes again. `condition`: a QWaitCondition.
#include <QMutex>
#include <QWaitCondition>
#include <cassert>
#include <cstring>
#include <thread>

static QMutex first, second;
static QRecursiveMutex again;
static QWaitCondition changed;
static int count;

static void lock_thrice()
{
	for (int i = 0; i < 3; i++) {
		first.lock();
		count++;
		first.unlock();
	}
}

static void recurse()
{
	QMutexLocker outer(&again);
	QMutexLocker inner(&again);
	count++;
}

static void add(QMutex &one, QMutex &other)
{
	QMutexLocker outer(&one);
	QMutexLocker inner(&other);
	count++;
}

static void wait()
{
	QMutexLocker lock(&first);
	while (!count)
		changed.wait(&first);
}

static void set()
{
	QMutexLocker lock(&first);
	count = 1;
	changed.wakeOne();
}

static void try_once()
{
	if (first.tryLock()) {
		count++;
		first.unlock();
	}
}

static void try_until()
{
	bool taken = first.tryLock(1);
	assert(taken);
	first.unlock();
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	void (*other)() = !strcmp(what, "mutex") ? lock_thrice : !strcmp(what, "try") ? try_once : !strcmp(what, "until") ? try_until :
		!strcmp(what, "recursive") ? recurse : !strcmp(what, "condition") ? wait : [] { add(first, second); };
	std::thread thread(other);
	if (!strcmp(what, "mutex"))
		lock_thrice();
	else if (!strcmp(what, "recursive"))
		recurse();
	else if (!strcmp(what, "condition"))
		set();
	else if (!strcmp(what, "opposite"))
		add(second, first);
	else
		add(first, second);
	thread.join();
}
