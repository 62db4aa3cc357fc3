// Publishing copies the list of handlers, so that a handler may subscribe another.
// verdict: complete
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

type Handler = Arc<dyn Fn(u32) + Send + Sync>;

#[derive(Default)]
struct Bus {
    handlers: Mutex<Vec<Handler>>,
}

impl Bus {
    fn subscribe(&self, handler: Handler) {
        self.handlers.lock().unwrap().push(handler);
    }

    fn publish(&self, event: u32) {
        let handlers = self.handlers.lock().unwrap().clone();
        for handler in handlers {
            handler(event);
        }
    }
}

fn main() {
    let bus = Bus::default();
    let sum = Arc::new(AtomicU32::new(0));
    let add: Handler = {
        let sum = Arc::clone(&sum);
        Arc::new(move |n| drop(sum.fetch_add(n, Ordering::Relaxed)))
    };
    bus.subscribe(Arc::clone(&add));
    thread::scope(|s| {
        s.spawn(|| bus.subscribe(add));
        bus.publish(5);
    });
    assert!(matches!(sum.load(Ordering::Relaxed), 5 | 10));
}
