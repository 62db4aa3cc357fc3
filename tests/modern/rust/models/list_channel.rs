// The first block of crossbeam-channel's unbounded channel, 0.5.12 to 0.5.14 (RUSTSEC-2025-0024). A sender that makes the first block sets the tail's
// pointer, and then the head's. If the receiver leaves in between, and another sender has sent, it waits for the head's pointer and frees the
// block. It only loads the pointer there, so that dropping the channel frees the block again. Mended, it swaps the pointer with null.
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

const MARK_BIT: usize = 1;
const SHIFT: usize = 1;
const BLOCK_CAP: usize = 3; // this model never fills a block

type Message = Box<u32>;

struct Slot {
    message: UnsafeCell<MaybeUninit<Message>>,
    written: AtomicBool,
}

impl Default for Slot {
    fn default() -> Slot {
        Slot { message: UnsafeCell::new(MaybeUninit::uninit()), written: AtomicBool::new(false) }
    }
}

#[derive(Default)]
struct Block {
    slots: [Slot; BLOCK_CAP],
}

#[derive(Default)]
struct Position {
    index: AtomicUsize,
    block: AtomicPtr<Block>,
}

#[derive(Default)]
struct Channel {
    head: Position,
    tail: Position,
}

unsafe impl Sync for Channel {}

impl Channel {
    fn send(&self, message: Message) -> Result<(), Message> {
        let mut tail = self.tail.index.load(Ordering::Acquire);
        let mut block = self.tail.block.load(Ordering::Acquire);
        loop {
            if tail & MARK_BIT != 0 {
                return Err(message);
            }
            if block.is_null() {
                let new = Box::into_raw(Box::<Block>::default());
                if self.tail.block.compare_exchange(block, new, Ordering::Release, Ordering::Relaxed).is_ok() {
                    self.head.block.store(new, Ordering::Release);
                    block = new;
                } else {
                    drop(unsafe { Box::from_raw(new) });
                    tail = self.tail.index.load(Ordering::Acquire);
                    block = self.tail.block.load(Ordering::Acquire);
                    continue;
                }
            }
            match self.tail.index.compare_exchange(tail, tail + (1 << SHIFT), Ordering::SeqCst, Ordering::Acquire) {
                Ok(_) => {
                    let slot = unsafe { &(*block).slots[tail >> SHIFT] };
                    unsafe { (*slot.message.get()).write(message) };
                    slot.written.store(true, Ordering::Release);
                    return Ok(());
                }
                Err(now) => {
                    tail = now;
                    block = self.tail.block.load(Ordering::Acquire);
                }
            }
        }
    }

    fn disconnect_receivers(&self) {
        self.tail.index.fetch_or(MARK_BIT, Ordering::SeqCst);
        let tail = self.tail.index.load(Ordering::Acquire);
        let mut head = self.head.index.load(Ordering::Acquire);
        let mut block = self.head.block.swap(ptr::null_mut(), Ordering::AcqRel);
        if head >> SHIFT != tail >> SHIFT {
            while block.is_null() {
                thread::yield_now();
                block = match MENDED {
                    true => self.head.block.swap(ptr::null_mut(), Ordering::AcqRel),
                    false => self.head.block.load(Ordering::Acquire),
                };
            }
        }
        while head >> SHIFT != tail >> SHIFT {
            let slot = unsafe { &(*block).slots[head >> SHIFT] };
            while !slot.written.load(Ordering::Acquire) {
                thread::yield_now();
            }
            unsafe { (*slot.message.get()).assume_init_drop() };
            head += 1 << SHIFT;
        }
        if !block.is_null() {
            drop(unsafe { Box::from_raw(block) });
        }
        self.head.index.store(head & !MARK_BIT, Ordering::Release);
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        let (head, tail, block) = (*self.head.index.get_mut(), *self.tail.index.get_mut(), *self.head.block.get_mut());
        for i in head >> SHIFT..tail >> SHIFT {
            unsafe { (*(*block).slots[i].message.get()).assume_init_drop() };
        }
        if !block.is_null() {
            drop(unsafe { Box::from_raw(block) });
        }
    }
}

fn main() {
    let channel = Arc::new(Channel::default());
    let senders = [1, 2].map(|n| {
        let channel = Arc::clone(&channel);
        thread::spawn(move || drop(channel.send(Box::new(n))))
    });
    channel.disconnect_receivers();
    for sender in senders {
        sender.join().unwrap();
    }
}
