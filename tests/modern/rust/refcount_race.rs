// A reference count of its own reads the count after lowering it: both owners or none free the object.
// verdict: bug
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Inner {
    owners: AtomicUsize,
    name: String,
}

struct Shared(*mut Inner);

unsafe impl Send for Shared {}

impl Shared {
    fn new(name: &str) -> Shared {
        Shared(Box::into_raw(Box::new(Inner { owners: AtomicUsize::new(1), name: name.to_string() })))
    }

    fn share(&self) -> Shared {
        unsafe { &*self.0 }.owners.fetch_add(1, Ordering::Relaxed);
        Shared(self.0)
    }

    fn name(&self) -> &str {
        unsafe { &(*self.0).name }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let inner = unsafe { &*self.0 };
        inner.owners.fetch_sub(1, Ordering::AcqRel);
        if inner.owners.load(Ordering::Acquire) == 0 {
            drop(unsafe { Box::from_raw(self.0) });
        }
    }
}

fn main() {
    let mine = Shared::new("settings");
    let theirs = mine.share();
    let other = thread::spawn(move || assert_eq!(theirs.name(), "settings"));
    assert_eq!(mine.name().len(), 8);
    drop(mine);
    other.join().unwrap();
}
