/* Absl::Mutex, two threads.
 * build: g++ -std=c++17 -g -O1 -pthread -o abseil abseil.cc $(pkg-config --cflags --libs absl_synchronization)
 */
#include "two.h"
#include <absl/synchronization/mutex.h>
static absl::Mutex m;
static int n;
static void *f(void *a)
{
	absl::MutexLock l(&m);
	n += (long)a;
	return 0;
}

int main()
{
	TWO(f);
	assert(n == 3);
}
