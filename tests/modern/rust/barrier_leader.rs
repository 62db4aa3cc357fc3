// Two threads add their parts; the leader of the barrier alone writes the report.
// verdict: complete
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;

struct Survey {
    counted: Barrier,
    votes: AtomicU32,
    report: Mutex<Option<String>>,
}

impl Survey {
    fn count(&self, votes: u32) -> bool {
        self.votes.fetch_add(votes, Ordering::Relaxed);
        let leads = self.counted.wait().is_leader();
        if leads {
            let total = self.votes.load(Ordering::Relaxed);
            let old = self.report.lock().unwrap().replace(format!("{total} votes"));
            assert!(old.is_none());
        }
        leads
    }
}

fn main() {
    let survey = Survey { counted: Barrier::new(2), votes: AtomicU32::new(0), report: Mutex::new(None) };
    let (mine, theirs) = thread::scope(|s| {
        let other = s.spawn(|| survey.count(20));
        (survey.count(3), other.join().unwrap())
    });
    assert!(mine != theirs);
    assert_eq!(survey.report.into_inner().unwrap().as_deref(), Some("23 votes"));
}
