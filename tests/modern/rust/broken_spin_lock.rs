// A spin lock that tests and sets in two steps lets two threads in.
// verdict: bug
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct SpinLock<T> {
    locked: AtomicBool,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for SpinLock<T> {}

impl<T> SpinLock<T> {
    fn with(&self, change: impl FnOnce(&mut T)) {
        while self.locked.load(Ordering::Acquire) {
            std::hint::spin_loop();
        }
        self.locked.store(true, Ordering::Release);
        change(unsafe { &mut *self.value.get() });
        self.locked.store(false, Ordering::Release);
    }
}

static COUNT: SpinLock<u32> = SpinLock { locked: AtomicBool::new(false), value: UnsafeCell::new(0) };

fn main() {
    let other = thread::spawn(|| COUNT.with(|n| *n += 1));
    COUNT.with(|n| *n += 1);
    other.join().unwrap();
    COUNT.with(|n| assert_eq!(*n, 2));
}
