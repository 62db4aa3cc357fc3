// A table behind a reader-writer lock: two writers and a reader, which parks until the last writer wakes it.
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::RwLock;
use std::thread;

static WRITTEN: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let table = RwLock::new(BTreeMap::new());
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while WRITTEN.load(Ordering::Acquire) < 2 {
                thread::park();
            }
            table.read().unwrap().values().sum::<usize>()
        });
        for number in 1..=2 {
            let (table, waiting) = (&table, reader.thread().clone());
            scope.spawn(move || {
                table.write().unwrap().insert(number, number * 10);
                WRITTEN.fetch_add(1, Ordering::Release);
                waiting.unpark();
            });
        }
        println!("{}", reader.join().unwrap());
    });
}
