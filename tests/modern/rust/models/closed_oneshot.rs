// tokio's oneshot channel up to 1.13.0 (RUSTSEC-2021-0124), without the tasks that wait. send() says that the value is there, and takes it back if the
// receiver had closed the channel. In between, try_recv() of the closed channel sees that the value is there and takes it too. Mended, the
// bit is not set in a closed channel.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

const VALUE_SENT: usize = 2;
const CLOSED: usize = 4;

#[derive(Debug, PartialEq)]
enum TryRecvError {
    Empty,
    Closed,
}

struct Inner<T> {
    state: AtomicUsize,
    value: UnsafeCell<Option<T>>,
}

unsafe impl<T: Send> Sync for Inner<T> {}

impl<T> Inner<T> {
    unsafe fn consume_value(&self) -> Option<T> {
        (*self.value.get()).take()
    }

    fn set_complete(&self) -> usize {
        if !MENDED {
            return self.state.fetch_or(VALUE_SENT, Ordering::AcqRel);
        }
        let mut state = self.state.load(Ordering::Relaxed);
        while state & CLOSED == 0 {
            match self.state.compare_exchange_weak(state, state | VALUE_SENT, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(now) => state = now,
            }
        }
        state
    }
}

struct Sender<T>(Arc<Inner<T>>);
struct Receiver<T>(Arc<Inner<T>>);

fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let inner = Arc::new(Inner { state: AtomicUsize::new(0), value: UnsafeCell::new(None) });
    (Sender(Arc::clone(&inner)), Receiver(inner))
}

impl<T> Sender<T> {
    fn send(self, value: T) -> Result<(), T> {
        unsafe { *self.0.value.get() = Some(value) };
        if self.0.set_complete() & CLOSED != 0 {
            return Err(unsafe { self.0.consume_value() }.unwrap());
        }
        Ok(())
    }
}

impl<T> Receiver<T> {
    fn close(&mut self) {
        self.0.state.fetch_or(CLOSED, Ordering::Acquire);
    }

    fn try_recv(&mut self) -> Result<T, TryRecvError> {
        let state = self.0.state.load(Ordering::Acquire);
        if state & VALUE_SENT != 0 {
            unsafe { self.0.consume_value() }.ok_or(TryRecvError::Closed)
        } else if state & CLOSED != 0 {
            Err(TryRecvError::Closed)
        } else {
            Err(TryRecvError::Empty)
        }
    }
}

fn main() {
    let (sender, mut receiver) = channel();
    let sender = thread::spawn(move || sender.send("reply".to_string()));
    receiver.close();
    let received = receiver.try_recv();
    match sender.join().unwrap() {
        Ok(()) => assert_eq!(received, Ok("reply".to_string())),
        Err(refused) => assert_eq!((received, refused.as_str()), (Err(TryRecvError::Closed), "reply")),
    }
}
