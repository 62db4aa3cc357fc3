// A memo behind a RwLock: after the write lock is taken, the entry is looked up again, so each value is computed once.
// verdict: complete
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::RwLock;
use std::thread;

#[derive(Default)]
struct Memo {
    known: RwLock<HashMap<u32, u32>>,
    computed: AtomicU32,
}

impl Memo {
    fn square(&self, n: u32) -> u32 {
        if let Some(found) = self.known.read().unwrap().get(&n).copied() {
            return found;
        }
        *self.known.write().unwrap().entry(n).or_insert_with(|| {
            self.computed.fetch_add(1, Ordering::Relaxed);
            n * n
        })
    }
}

fn main() {
    let memo = Memo::default();
    thread::scope(|s| {
        s.spawn(|| assert_eq!(memo.square(7), 49));
        assert_eq!(memo.square(7), 49);
    });
    assert_eq!(memo.computed.load(Ordering::Relaxed), 1);
}
