use bank::transfer;
use std::sync::Mutex;
use std::thread;

#[test]
fn both_ways() {
    let (a, b) = (Mutex::new(10), Mutex::new(10));
    thread::scope(|s| {
        s.spawn(|| transfer(&a, &b, 1));
        s.spawn(|| transfer(&b, &a, 1));
    });
}
