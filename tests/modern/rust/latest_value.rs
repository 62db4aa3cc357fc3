// A mailbox for the latest position: a new one replaces the old one by a swap of pointers, and the thread that takes a pointer frees it.
// verdict: complete
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::{ptr, thread};

static ALIVE: AtomicU32 = AtomicU32::new(0);

struct Position(f32, f32);

impl Position {
    fn new(x: f32) -> Position {
        ALIVE.fetch_add(1, Ordering::Relaxed);
        Position(x, -x)
    }
}

impl Drop for Position {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Mailbox(AtomicPtr<Position>);

impl Mailbox {
    fn put(&self, position: Position) {
        let old = self.0.swap(Box::into_raw(Box::new(position)), Ordering::AcqRel);
        if !old.is_null() {
            drop(unsafe { Box::from_raw(old) });
        }
    }

    fn take(&self) -> Option<Box<Position>> {
        let p = self.0.swap(ptr::null_mut(), Ordering::AcqRel);
        (!p.is_null()).then(|| unsafe { Box::from_raw(p) })
    }
}

fn main() {
    let mailbox = Mailbox(AtomicPtr::new(ptr::null_mut()));
    thread::scope(|s| {
        s.spawn(|| [1.0, 2.0].map(|x| mailbox.put(Position::new(x))));
        if let Some(p) = mailbox.take() {
            assert_eq!(p.0, -p.1);
        }
    });
    drop(mailbox.take());
    assert_eq!(ALIVE.load(Ordering::Relaxed), 0);
}
