// The last owner is to publish the result, but both may call try_unwrap while the other still has its Arc: then nobody publishes.
// verdict: bug
use std::sync::{Arc, Mutex};
use std::thread;

type Report = Mutex<Vec<&'static str>>;

fn finish(report: Arc<Report>, line: &'static str) -> Option<usize> {
    report.lock().unwrap().push(line);
    match Arc::try_unwrap(report) {
        Ok(report) => Some(report.into_inner().unwrap().len()),
        Err(shared) => {
            drop(shared);
            None
        }
    }
}

fn main() {
    let report = Arc::new(Report::default());
    let theirs = Arc::clone(&report);
    let other = thread::spawn(move || finish(theirs, "lint"));
    let mine = finish(report, "build");
    assert_eq!(mine.or(other.join().unwrap()), Some(2));
}
