// After the wait the queue is not tested again: another consumer may have taken the item.
// verdict: bug
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Queue {
    items: Mutex<VecDeque<u32>>,
    not_empty: Condvar,
}

impl Queue {
    fn push(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.not_empty.notify_all();
    }

    fn pop(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        if items.is_empty() {
            items = self.not_empty.wait(items).unwrap();
        }
        items.pop_front().expect("an item")
    }
}

fn main() {
    let queue = Arc::new(Queue::default());
    let consumers = [(); 2].map(|_| {
        let queue = Arc::clone(&queue);
        thread::spawn(move || queue.pop())
    });
    queue.push(1);
    queue.push(2);
    let sum: u32 = consumers.into_iter().map(|c| c.join().unwrap()).sum();
    assert_eq!(sum, 3);
}
