// Exceptions through several frames: destructors, rethrow, catch by base, in constructors, from callbacks, across threads.
#include "case.h"

#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static int alive, trail;
struct Tracked {
	int id;
	explicit Tracked(int i) : id(i) { alive++; }
	Tracked(const Tracked &t) : id(t.id) { alive++; }
	~Tracked() { alive--; trail = trail * 31 + id; }
};
struct Base { virtual ~Base() {} virtual int code() const { return 1; } };
struct Derived : virtual Base { int v; explicit Derived(int x) : v(x) {} int code() const override { return v; } };
struct Throws { Tracked a{100}, b; explicit Throws(int x) try : b(x) { if (x > 3) throw Derived(x); } catch (Derived &) { trail++; throw; } };

static NOINLINE int dive(int n, int kind)
{
	Tracked t(n);
	if (n == 0) {
		switch (kind) {
		case 0: throw 42;
		case 1: throw std::runtime_error("runtime");
		case 2: throw Derived(7);
		case 3: throw std::string("text");
		case 4: throw std::make_unique<int>(9);
		default: return 5;
		}
	}
	if (n == 3) {
		try {
			return dive(n - 1, kind);
		} catch (std::exception &e) {
			trail += (int)e.what()[0];
			throw;
		} catch (const std::string &s) {
			throw std::logic_error(s + " again");
		}
	}
	int r = dive(n - 1, kind) + t.id;
	return r;
}
static NOINLINE int outer(int kind)
{
	try {
		return dive(6, kind);
	} catch (int i) {
		return i;
	} catch (Base &b) {
		return b.code() + 1000;
	} catch (std::logic_error &e) {
		return (int)e.what()[5];
	} catch (std::runtime_error &e) {
		return (int)e.what()[2];
	} catch (...) {
		return -1;
	}
}
static int thrower(const void *a, const void *b)
{
	if (*(const int *)a == 13 || *(const int *)b == 13)
		throw 13;
	return *(const int *)a - *(const int *)b;
}
static void forbidden() noexcept { outer(0); dive(2, 0); }

#ifdef NON_CALL // built with -fnon-call-exceptions: any instruction may throw
#include <csignal>
static void on_fault(int) { throw std::runtime_error("fault"); }
static NOINLINE int touch(volatile int *p) { Tracked t(3); return *p + t.id; }
static void non_call()
{
	struct sigaction sa = {}, old;
	sa.sa_handler = on_fault;
	sa.sa_flags = SA_NODEFER;
	sigaction(SIGSEGV, &sa, &old);
	for (int i = 0; i < 3; i++) {
		try {
			Tracked t(i);
			trail += touch((int *)opaque(8));
		} catch (std::runtime_error &e) {
			printf("thrown by a handler: %s alive %d trail %d\n", e.what(), alive, trail);
		}
	}
	sigaction(SIGSEGV, &old, nullptr);
}
#else
static void non_call() {}
#endif

CASE(exceptions)
{
	non_call();
	for (int kind = 0; kind < 6; kind++)
		printf("kind %d: %d alive %d trail %d\n", kind, outer(kind), alive, trail);
	for (int i = 0; i < 200; i++) {
		try {
			Throws t(i % 6);
			trail += t.b.id;
		} catch (Base &b) {
			trail ^= b.code();
		}
	}
	printf("constructors alive %d trail %d\n", alive, trail);
	int v[20];
	for (int i = 0; i < 20; i++)
		v[i] = 19 - i;
	try {
		std::vector<Tracked> some(3, Tracked(5));
		qsort(v, 20, sizeof(int), thrower);
	} catch (int i) {
		printf("through qsort %d alive %d\n", i, alive);
	}
	std::exception_ptr p;
	std::thread([&p] { try { dive(4, 1); } catch (...) { p = std::current_exception(); } }).join();
	try {
		std::rethrow_exception(p);
	} catch (std::exception &e) {
		printf("from a thread %s alive %d\n", e.what(), alive);
	}
	try {
		try {
			dive(2, 1);
		} catch (...) {
			std::throw_with_nested(std::logic_error("outer"));
		}
	} catch (std::logic_error &e) {
		try {
			std::rethrow_if_nested(e);
		} catch (std::exception &inner) {
			printf("nested %s %s\n", e.what(), inner.what());
		}
	}
	try {
		volatile size_t much = (size_t)-1 / 2;
		char *p = new char[much];
		opaque((uintptr_t)p);
		delete[] p;
	} catch (std::bad_alloc &) {
		printf("bad_alloc\n");
	}
	fflush(stdout);
	pid_t pid = fork();
	if (!pid) {
		close(2);
		std::set_terminate([] { _exit(33); });
		forbidden();
		_exit(0);
	}
	int status;
	waitpid(pid, &status, 0);
	printf("noexcept %d\n", WEXITSTATUS(status));
}
