// Over a channel without a buffer, send returns when the message has been taken.
// verdict: complete
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

static PREPARED: AtomicBool = AtomicBool::new(false);

fn main() {
    let (tx, rx) = sync_channel(0);
    let receiver = thread::spawn(move || {
        PREPARED.store(true, Ordering::Release);
        rx.recv().unwrap()
    });
    tx.send("hello").unwrap();
    assert!(PREPARED.load(Ordering::Acquire));
    assert_eq!(receiver.join().unwrap(), "hello");
}
