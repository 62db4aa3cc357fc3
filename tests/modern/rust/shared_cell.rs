// A type declared Sync by hand without any synchronisation: two threads push into one Vec.
// verdict: bug
use std::cell::UnsafeCell;
use std::thread;

struct Log(UnsafeCell<Vec<u32>>);

unsafe impl Sync for Log {}

impl Log {
    fn write(&self, entry: u32) {
        unsafe { &mut *self.0.get() }.push(entry);
    }
}

fn main() {
    let log = Log(UnsafeCell::new(Vec::with_capacity(4)));
    thread::scope(|s| {
        s.spawn(|| log.write(1));
        s.spawn(|| log.write(2));
    });
    assert_eq!(log.0.into_inner().len(), 2);
}
