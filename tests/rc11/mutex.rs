// The mutex of the standard library waits in futex calls, and its slow path is not instrumented.
use std::sync::{Arc, Mutex};

fn main() {
    let here = Arc::new(Mutex::new(0));
    let there = here.clone();
    let other = std::thread::spawn(move || *there.lock().unwrap() += 1);
    *here.lock().unwrap() += 1;
    other.join().unwrap();
    assert_eq!(*here.lock().unwrap(), 2);
}
