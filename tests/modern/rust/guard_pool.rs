// A pool lends connections; a guard puts its connection back when it is dropped, and a caller waits if none is left.
// verdict: complete
use std::ops::Deref;
use std::sync::{Condvar, Mutex};
use std::thread;

struct Connection {
    id: u32,
}

struct Pool {
    idle: Mutex<Vec<Connection>>,
    returned: Condvar,
}

struct Lent<'a>(Option<Connection>, &'a Pool);

impl Deref for Lent<'_> {
    type Target = Connection;
    fn deref(&self) -> &Connection {
        self.0.as_ref().unwrap()
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.1.idle.lock().unwrap().extend(self.0.take());
        self.1.returned.notify_one();
    }
}

impl Pool {
    fn lend(&self) -> Lent<'_> {
        let mut idle = self.returned.wait_while(self.idle.lock().unwrap(), |idle| idle.is_empty()).unwrap();
        Lent(idle.pop(), self)
    }
}

fn main() {
    let pool = Pool { idle: Mutex::new(vec![Connection { id: 5 }]), returned: Condvar::new() };
    thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| assert_eq!(pool.lend().id, 5));
        }
    });
    assert_eq!(pool.idle.into_inner().unwrap().len(), 1);
}
