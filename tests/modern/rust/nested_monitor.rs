// The consumer waits for a part while it holds the lock of the store; the producer needs that lock to deliver the part.
// verdict: bug
use std::sync::{Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Shelf {
    parts: Mutex<u32>,
    delivered: Condvar,
}

#[derive(Default)]
struct Store {
    shelf: Mutex<Shelf>,
}

impl Store {
    fn take(&self) {
        let shelf = self.shelf.lock().unwrap();
        let mut parts = shelf.delivered.wait_while(shelf.parts.lock().unwrap(), |parts| *parts == 0).unwrap();
        *parts -= 1;
    }

    fn deliver(&self) {
        let shelf = self.shelf.lock().unwrap();
        *shelf.parts.lock().unwrap() += 1;
        shelf.delivered.notify_one();
    }
}

fn main() {
    let store = Store::default();
    thread::scope(|s| {
        s.spawn(|| store.deliver());
        store.take();
    });
    assert_eq!(*store.shelf.lock().unwrap().parts.lock().unwrap(), 0);
}
