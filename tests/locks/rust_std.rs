// Two threads that take a lock of Rust's std twice each: the orders of four critical sections are 6. `mutex` or `write`: which lock. `spawn`: a thread starts
// while the handle of it is dropped. `nested`: a thread reads twice; if a writer comes in between, both wait for ever.
use std::sync::{Mutex, RwLock};
use std::thread;

static COUNT: Mutex<u32> = Mutex::new(0);
static TABLE: RwLock<u32> = RwLock::new(0);

fn main() {
    let what = std::env::args().nth(1).unwrap();
    if what == "spawn" {
        drop(thread::spawn(|| ()));
        return;
    }
    if what == "nested" {
        let writer = thread::spawn(|| *TABLE.write().unwrap() += 1);
        {
            let (first, second) = (TABLE.read().unwrap(), TABLE.read().unwrap());
            assert_eq!(*first, *second);
        }
        writer.join().unwrap();
        return;
    }
    let write = what == "write";
    let work = move || {
        for _ in 0..2 {
            if write {
                *TABLE.write().unwrap() += 1;
            } else {
                *COUNT.lock().unwrap() += 1;
            }
        }
    };
    let other = thread::spawn(work);
    work();
    other.join().unwrap();
    assert_eq!(*COUNT.lock().unwrap() + *TABLE.write().unwrap(), 4);
}
