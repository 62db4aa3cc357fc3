// The LIFO deque of crossbeam-deque up to 0.8.0 (RUSTSEC-2021-0093). A thief takes a batch one by one, from the buffer that it loaded before the
// first. Meanwhile the owner may pop down to the second task, move to a smaller buffer and push another one there: the thief takes the popped task
// from the old buffer, and the new one is lost. Mended, the thief looks whether the buffer is still the same. Old buffers live to the end here, not
// as long as an epoch.
use std::cell::UnsafeCell;
use std::mem::{self, MaybeUninit};
use std::sync::atomic::{fence, AtomicIsize, AtomicPtr, Ordering};
use std::{ptr, thread};

const MIN_CAP: usize = 4;

type Task = Box<u32>;
type Buffer = Vec<UnsafeCell<MaybeUninit<Task>>>;

fn alloc(cap: usize) -> *mut Buffer {
    Box::into_raw(Box::new((0..cap).map(|_| UnsafeCell::new(MaybeUninit::uninit())).collect()))
}

unsafe fn at(buffer: *mut Buffer, i: isize) -> *mut Task {
    let slots = &*buffer;
    slots[i as usize % slots.len()].get().cast()
}

struct Deque {
    front: AtomicIsize,
    back: AtomicIsize,
    buffer: AtomicPtr<Buffer>,
}

struct Worker<'a> {
    deque: &'a Deque,
    old: Vec<*mut Buffer>,
}

impl Worker<'_> {
    fn buffer(&self) -> *mut Buffer {
        self.deque.buffer.load(Ordering::Relaxed)
    }

    unsafe fn cap(&self) -> usize {
        let slots = &*self.buffer();
        slots.len()
    }

    unsafe fn resize(&mut self, cap: usize) {
        let (b, f) = (self.deque.back.load(Ordering::Relaxed), self.deque.front.load(Ordering::Relaxed));
        let (old, new) = (self.buffer(), alloc(cap));
        for i in f..b {
            ptr::copy_nonoverlapping(at(old, i), at(new, i), 1);
        }
        self.old.push(self.deque.buffer.swap(new, Ordering::Release));
    }

    unsafe fn push(&mut self, task: Task) {
        let (b, f) = (self.deque.back.load(Ordering::Relaxed), self.deque.front.load(Ordering::Acquire));
        let cap = self.cap();
        if b - f >= cap as isize {
            self.resize(2 * cap);
        }
        at(self.buffer(), b).write(task);
        fence(Ordering::Release);
        self.deque.back.store(b + 1, Ordering::Relaxed);
    }

    unsafe fn pop(&mut self) -> Option<Task> {
        if self.deque.back.load(Ordering::Relaxed) - self.deque.front.load(Ordering::Relaxed) <= 0 {
            return None;
        }
        let b = self.deque.back.load(Ordering::Relaxed) - 1;
        self.deque.back.store(b, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let f = self.deque.front.load(Ordering::Relaxed);
        if b < f {
            self.deque.back.store(b + 1, Ordering::Relaxed);
            return None;
        }
        let mut task = Some(at(self.buffer(), b).read());
        let cap = self.cap();
        if b == f {
            if self.deque.front.compare_exchange(f, f + 1, Ordering::SeqCst, Ordering::Relaxed).is_err() {
                mem::forget(task.take());
            }
            self.deque.back.store(b + 1, Ordering::Relaxed);
        } else if cap > MIN_CAP && ((b - f) as usize) < cap / 4 {
            self.resize(cap / 2);
        }
        task
    }
}

impl Deque {
    unsafe fn steal_batch(&self) -> Vec<Task> {
        let mut stolen = Vec::new();
        let mut f = self.front.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        let batch = (self.back.load(Ordering::Acquire) - f + 1) / 2;
        let buffer = self.buffer.load(Ordering::Acquire);
        for i in 0..batch {
            if i > 0 {
                fence(Ordering::SeqCst);
                if self.back.load(Ordering::Acquire) - f <= 0 {
                    break;
                }
            }
            let task = at(buffer, f).read();
            if (MENDED && self.buffer.load(Ordering::Acquire) != buffer)
                || self.front.compare_exchange(f, f + 1, Ordering::SeqCst, Ordering::Relaxed).is_err()
            {
                mem::forget(task);
                break;
            }
            stolen.push(task);
            f += 1;
        }
        stolen
    }
}

fn main() {
    let deque = Deque { front: AtomicIsize::new(0), back: AtomicIsize::new(0), buffer: AtomicPtr::new(alloc(MIN_CAP)) };
    let mut worker = Worker { deque: &deque, old: Vec::new() };
    unsafe {
        (1..=5).for_each(|n| worker.push(Box::new(n)));
        let mut taken: Vec<Task> = (0..2).filter_map(|_| worker.pop()).collect();
        let stolen = thread::scope(|s| {
            let thief = s.spawn(|| deque.steal_batch());
            taken.extend((0..2).filter_map(|_| worker.pop()));
            worker.push(Box::new(6));
            thief.join().unwrap()
        });
        taken.extend(stolen);
        taken.extend(std::iter::from_fn(|| worker.pop()));
        let mut numbers: Vec<u32> = taken.iter().map(|task| **task).collect();
        numbers.sort();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6], "each task is taken once");
        worker.old.push(worker.buffer());
        worker.old.drain(..).for_each(|buffer| drop(Box::from_raw(buffer)));
    }
}
