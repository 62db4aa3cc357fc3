// Closing a queue does not wake the consumer that waits for an item.
// verdict: bug
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct State {
    items: VecDeque<u32>,
    closed: bool,
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

impl Queue {
    fn push(&self, item: u32) {
        self.state.lock().unwrap().items.push_back(item);
        self.changed.notify_one();
    }

    fn close(&self) {
        self.state.lock().unwrap().closed = true;
    }

    fn pop(&self) -> Option<u32> {
        let mut state = self.state.lock().unwrap();
        loop {
            if let Some(item) = state.items.pop_front() {
                return Some(item);
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap();
        }
    }
}

fn main() {
    let queue = Arc::new(Queue::default());
    let theirs = Arc::clone(&queue);
    let consumer = thread::spawn(move || {
        let mut sum = 0;
        while let Some(item) = theirs.pop() {
            sum += item;
        }
        sum
    });
    queue.push(4);
    queue.close();
    assert_eq!(consumer.join().unwrap(), 4);
}
