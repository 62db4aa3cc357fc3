// A gate for several visitors is opened with notify_one: if both visitors wait, one of them waits for ever.
// verdict: bug
use std::sync::{Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn pass(&self) {
        let open = self.opened.wait_while(self.open.lock().unwrap(), |open| !*open).unwrap();
        assert!(*open);
    }

    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_one();
    }
}

fn main() {
    let gate = Gate::default();
    thread::scope(|s| {
        s.spawn(|| gate.pass());
        s.spawn(|| gate.pass());
        gate.open();
    });
}
