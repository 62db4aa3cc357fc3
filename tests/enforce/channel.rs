// Two workers wait for each other, prepare something once, and send their results to the first thread.
use std::sync::{mpsc, Barrier, Once};
use std::thread;

static PREPARED: Once = Once::new();

fn main() {
    let (sender, receiver) = mpsc::channel();
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        for number in 1..=2 {
            let sender = sender.clone();
            let barrier = &barrier;
            scope.spawn(move || {
                PREPARED.call_once(|| {});
                barrier.wait();
                sender.send(number).unwrap();
            });
        }
        drop(sender);
        println!("{}", receiver.iter().sum::<i32>());
    });
}
