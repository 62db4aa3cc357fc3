// The memo gives up the read lock and takes the write lock without looking again: a counter that was there is replaced.
// verdict: bug
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, RwLock};
use std::thread;

#[derive(Default)]
struct Metrics {
    counters: RwLock<HashMap<&'static str, Arc<AtomicU32>>>,
}

impl Metrics {
    fn counter(&self, name: &'static str) -> Arc<AtomicU32> {
        if let Some(found) = self.counters.read().unwrap().get(name).cloned() {
            return found;
        }
        let counter = Arc::new(AtomicU32::new(0));
        self.counters.write().unwrap().insert(name, Arc::clone(&counter));
        counter
    }

    fn hit(&self, name: &'static str) {
        self.counter(name).fetch_add(1, Ordering::Relaxed);
    }
}

fn main() {
    let metrics = Metrics::default();
    thread::scope(|s| {
        s.spawn(|| metrics.hit("requests"));
        metrics.hit("requests");
    });
    assert_eq!(metrics.counter("requests").load(Ordering::Relaxed), 2);
}
