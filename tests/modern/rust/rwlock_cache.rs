// A cache that looks with a read lock, and looks again with the write lock before it computes.
// verdict: complete
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::RwLock;
use std::thread;

#[derive(Default)]
struct Cache {
    squares: RwLock<HashMap<u32, u32>>,
    computed: AtomicU32,
}

impl Cache {
    fn square(&self, n: u32) -> u32 {
        if let Some(&found) = self.squares.read().unwrap().get(&n) {
            return found;
        }
        *self.squares.write().unwrap().entry(n).or_insert_with(|| {
            self.computed.fetch_add(1, Ordering::Relaxed);
            n * n
        })
    }
}

fn main() {
    let cache = Cache::default();
    thread::scope(|s| {
        s.spawn(|| assert_eq!(cache.square(7), 49));
        assert_eq!(cache.square(7), 49);
    });
    assert_eq!(cache.computed.into_inner(), 1);
}
