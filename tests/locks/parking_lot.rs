// Two threads with a lock of parking_lot. `mutex`: each locks it three times, so there are 20 orders. `try`: the second thread only tries once; before, in or after
// the section of the first. `until`: a timeout, which an assertion denies. `bump`: MutexGuard::bump lets
// another thread in, which an assertion denies. In a program that has it the mutex is no lock, so it is there only with --cfg bump. `opposite`: two locks in opposite orders.
// `wake`: notify_all moves two waiting threads to the mutex. `turns`: two threads that take turns with a Condvar.
use parking_lot::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

static COUNT: Mutex<u32> = Mutex::new(0);
static OTHER: Mutex<u32> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

fn lock_thrice() {
    for _ in 0..3 {
        *COUNT.lock() += 1;
    }
}

fn wait() {
    let mut count = COUNT.lock();
    while *count == 0 {
        CHANGED.wait(&mut count);
    }
    *count += 1;
}

fn take_turns(mine: u32) {
    for _ in 0..2 {
        let mut count = COUNT.lock();
        while *count % 2 != mine {
            CHANGED.wait(&mut count);
        }
        *count += 1;
        CHANGED.notify_one();
    }
}

fn main() {
    match std::env::args().nth(1).unwrap().as_str() {
        "mutex" => {
            let other = thread::spawn(lock_thrice);
            lock_thrice();
            other.join().unwrap();
            assert_eq!(*COUNT.lock(), 6);
        }
        "try" => {
            let other = thread::spawn(|| {
                if let Some(mut count) = COUNT.try_lock() {
                    *count += 1;
                }
            });
            *COUNT.lock() += 1;
            other.join().unwrap();
        }
        "until" => {
            let limit = Instant::now() + Duration::from_millis(1);
            let other = thread::spawn(move || assert!(COUNT.try_lock_until(limit).is_some(), "time is over"));
            let count = COUNT.lock();
            thread::sleep(Duration::from_millis(2));
            drop(count);
            other.join().unwrap();
        }
        #[cfg(bump)]
        "bump" => {
            let other = thread::spawn(|| *COUNT.lock() += 1);
            let mut count = COUNT.lock();
            let before = *count;
            parking_lot::MutexGuard::bump(&mut count);
            assert!(*count == before, "another thread came in");
            drop(count);
            other.join().unwrap();
        }
        "opposite" => {
            let other = thread::spawn(|| {
                let mut count = COUNT.lock();
                *count += *OTHER.lock();
            });
            let mut count = OTHER.lock();
            *count += *COUNT.lock();
            drop(count);
            other.join().unwrap();
        }
        "wake" => {
            let others = [thread::spawn(wait), thread::spawn(wait)];
            let mut count = COUNT.lock();
            *count += 1;
            CHANGED.notify_all();
            drop(count);
            for other in others {
                other.join().unwrap();
            }
        }
        "turns" => {
            let other = thread::spawn(|| take_turns(1));
            take_turns(0);
            other.join().unwrap();
            assert_eq!(*COUNT.lock(), 4);
        }
        _ => unreachable!(),
    }
}
