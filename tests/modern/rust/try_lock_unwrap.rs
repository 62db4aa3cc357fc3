// try_lock().unwrap() in the belief that no other thread holds the lock.
// verdict: bug
use std::sync::{Arc, Mutex};
use std::thread;

struct Stats {
    hits: Mutex<u32>,
}

impl Stats {
    fn hit(&self) {
        *self.hits.try_lock().unwrap() += 1;
    }
}

fn main() {
    let stats = Arc::new(Stats { hits: Mutex::new(0) });
    let theirs = Arc::clone(&stats);
    let other = thread::spawn(move || theirs.hit());
    stats.hit();
    other.join().unwrap();
}
