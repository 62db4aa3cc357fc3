// The flag is set without the lock, between the waiter's test and its wait: the notification is lost.
// verdict: bug
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Gate {
    open: AtomicBool,
    lock: Mutex<()>,
    opened: Condvar,
}

fn main() {
    let gate = Arc::new(Gate::default());
    let theirs = Arc::clone(&gate);
    let opener = thread::spawn(move || {
        theirs.open.store(true, Ordering::SeqCst);
        theirs.opened.notify_all();
    });
    let mut guard = gate.lock.lock().unwrap();
    while !gate.open.load(Ordering::SeqCst) {
        guard = gate.opened.wait(guard).unwrap();
    }
    drop(guard);
    opener.join().unwrap();
}
