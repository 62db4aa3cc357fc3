// The producer sends while it holds the lock of the statistics, which the consumer needs before it receives the next message: both may wait for ever.
// verdict: bug
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::sync::Mutex;
use std::thread;

#[derive(Default)]
struct Statistics {
    sent: u32,
    received: u32,
}

fn produce(to: SyncSender<u32>, statistics: &Mutex<Statistics>) {
    for message in [1, 2] {
        let mut statistics = statistics.lock().unwrap();
        to.send(message).unwrap();
        statistics.sent += 1;
    }
}

fn consume(from: Receiver<u32>, statistics: &Mutex<Statistics>) -> u32 {
    let mut sum = 0;
    for message in from {
        sum += message;
        statistics.lock().unwrap().received += 1;
    }
    sum
}

fn main() {
    let statistics = Mutex::default();
    let (to, from) = sync_channel(0);
    thread::scope(|s| {
        s.spawn(|| produce(to, &statistics));
        assert_eq!(consume(from, &statistics), 3);
    });
    let Statistics { sent, received } = statistics.into_inner().unwrap();
    assert_eq!((sent, received), (2, 2));
}
