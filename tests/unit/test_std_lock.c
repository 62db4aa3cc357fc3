/* What functions of Rust's std on a stack say about the word that a step used, with the names that std of 1.63 and 1.95 has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "recorder/symbols/std_lock.h"
#include "recorder/symbols/symbols_internal.h"

#define STACK_MOST 8

/* The innermost function comes first; those behind a "|" are the program's. kind NULL: it is no lock. */
static void expect(const char *const *functions, const char *kind, const char *method)
{
	struct rec_frame frame[STACK_MOST] = { { .function = NULL } };
	struct rec_stack stack = { 0, frame };
	struct std_lock l;

	for (; functions[stack.n]; stack.n++) {
		const char *f = functions[stack.n];
		frame[stack.n].function = (char *)(uintptr_t)(f + (f[0] == '|'));
		frame[stack.n].flags = f[0] == '|' ? REC_FRAME_USER : 0;
	}
	assert_int_equal(std_lock_of(&stack, &l), kind != NULL);
	if (!kind)
		return;
	assert_string_equal(l.kind, kind);
	assert_string_equal(l.method, method);
}

#define STACK(...) (const char *const[]){ __VA_ARGS__, NULL }

static void test_direct(void **state)
{
	expect(STACK("core::sync::atomic::AtomicU32::compare_exchange", "std::sys::sync::mutex::futex::Mutex::lock", "std::sync::poison::mutex::Mutex<T>::lock",
		"|bank::transfer"), "Mutex", "lock");
	expect(STACK("core::sync::atomic::AtomicU32::compare_exchange", "std::sys::unix::locks::futex::Mutex::lock", "std::sys_common::mutex::MovableMutex::raw_lock",
		"std::sync::mutex::Mutex<T>::lock", "|bank::transfer"), "Mutex", "lock");
	expect(STACK("std::sys::pal::unix::futex::futex_wait", "<std::sys::sync::condvar::futex::Condvar>::wait", "std::sync::poison::condvar::Condvar::wait",
		"std::sync::poison::condvar::Condvar::wait_while", "|q::pop"), "Condvar", "wait_while");
	expect(STACK("<core::sync::atomic::AtomicU32>::load", "<std::sys::sync::rwlock::futex::RwLock>::read", "std::sync::poison::rwlock::RwLock<T>::read", "|c::get"),
		"RwLock", "read");
	expect(STACK("std::sys::unix::locks::futex_rwlock::RwLock::write_contended", "std::sync::rwlock::RwLock<T>::write", "|c::put"), "RwLock", "write");
	expect(STACK("std::sys::sync::once::futex::Once::call", "std::sync::poison::once::Once::call_once::<…>", "|c::init"), "Once", "call_once");
}

/* The lock of another object, and places that say nothing about the variable. */
static void test_indirect(void **state)
{
	expect(STACK("<std::sys::sync::condvar::futex::Condvar>::wait", "<std::sync::nonpoison::condvar::Condvar>::wait_while::<…>", "<std::sync::barrier::Barrier>::wait",
		"|job::work"), "Condvar of Barrier", "wait");
	expect(STACK("<std::sys::sync::mutex::futex::Mutex>::unlock", "<std::sync::poison::mutex::MutexGuard<T> as core::ops::drop::Drop>::drop", "core::ptr::drop_in_place<…>",
		"|bank::transfer"), "Mutex", "");
	expect(STACK("<std::sys::sync::mutex::futex::Mutex>::lock", "<std::sys::sync::condvar::futex::Condvar>::wait", "std::sync::poison::condvar::Condvar::wait", "|q::pop"),
		"Mutex", "");
	expect(STACK("<std::sys::sync::thread_parking::futex::Parker>::park", "<std::thread::thread::Thread>::park", "std::thread::park", "|w::wait"), "park token", "");
}

static void test_none(void **state)
{
	expect(STACK("core::sync::atomic::AtomicBool::load", "std::sync::poison::Flag::get", "std::sync::poison::mutex::Mutex<T>::lock", "|bank::transfer"), NULL, NULL);
	expect(STACK("core::sync::atomic::AtomicU32::load", "|queue::futex::Mutex::lock", "std::sync::poison::mutex::Mutex<T>::lock"), NULL, NULL);
	expect(STACK("|own::futex::Mutex::lock"), NULL, NULL);
	expect(STACK("std::sys::sync::mutex::futex", "lock", "", "<", "<>::x", "std::::", "std::x<::lock", "|m"), NULL, NULL);
}

static void receiver(const char *line, const char *method, const char *expected)
{
	char *text = symbols_receiver(line, method);

	if (expected)
		assert_string_equal(text, expected);
	else
		assert_null(text);
	free(text);
}

static void test_receivers(void **state)
{
	receiver("	let mut items = self.items.lock().unwrap();", "lock", "self.items");
	receiver("let g = self.opened.wait_while(self.open.lock().unwrap(), |open| !*open).unwrap();", "wait_while", "self.opened");
	receiver("let g = self.opened.wait_while(self.open.lock().unwrap(), |open| !*open).unwrap();", "wait", NULL);
	receiver("*accounts[from].lock().unwrap() -= 1;", "lock", "accounts[from]");
	receiver("a.lock().unwrap().swap(b.lock().unwrap());", "lock", NULL);
	receiver("	.lock()", "lock", NULL);
	receiver("make().lock()", "lock", NULL);
	receiver("LOCK.lock()", "lock", "LOCK");
	receiver("", "lock", NULL);
}

static void test_variables(void **state)
{
	char *name = std_lock_variable("depot::LOCK.inner.__0.futex.v.value");

	assert_string_equal(name, "depot::LOCK");
	free(name);
	name = std_lock_variable("depot.inner.inner.futex.v.value");
	assert_string_equal(name, "depot.inner");
	free(name);
	assert_null(std_lock_variable("heap#1+16"));
	assert_null(std_lock_variable(".inner.futex"));
	assert_true(std_lock_is_held("Mutex self.items"));
	assert_true(std_lock_is_held("RwLock"));
	assert_false(std_lock_is_held("Condvar self.filled"));
}

/* Functions of Rust's std without debug information are known by their symbols. C++ namespaces may have the same names. */
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_indirect),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_receivers),
		cmocka_unit_test(test_variables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
