// The main thread parks until a flag is set; the other thread sets it and unparks.
// verdict: complete
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);
static VALUE: AtomicU32 = AtomicU32::new(0);

fn main() {
    let waiter = thread::current();
    let worker = thread::spawn(move || {
        VALUE.store(42, Ordering::Relaxed);
        READY.store(true, Ordering::Release);
        waiter.unpark();
    });
    while !READY.load(Ordering::Acquire) {
        thread::park();
    }
    assert_eq!(VALUE.load(Ordering::Relaxed), 42);
    worker.join().unwrap();
}
