//! A small test for each of some crates that Debian has (librust-*-dev).
use std::sync::Arc;
use std::thread;
fn two<F: Fn(usize) + Send + Sync + 'static>(f: F) {
    let f = Arc::new(f);
    let g = f.clone();
    let a = thread::spawn(move || f(1));
    let b = thread::spawn(move || g(2));
    a.join().unwrap();
    b.join().unwrap();
}
#[test]
fn crossbeam_channel_bounded() {
    let (s, r) = crossbeam_channel::bounded(1);
    let t = thread::spawn(move || {
        s.send(1).unwrap();
        s.send(2).unwrap();
    });
    assert_eq!(r.recv(), Ok(1));
    assert_eq!(r.recv(), Ok(2));
    assert!(r.recv().is_err());
    t.join().unwrap();
}
#[test]
fn crossbeam_deque_steal() {
    let w = crossbeam_deque::Worker::new_lifo();
    let s = w.stealer();
    w.push(1);
    let t = thread::spawn(move || s.steal().success().is_some());
    let p = w.pop().is_some();
    let q = t.join().unwrap();
    assert!(!(p && q));
}
#[test]
fn crossbeam_epoch_swap() {
    use crossbeam_epoch::*;
    use std::sync::atomic::Ordering::*;
    let a = Arc::new(Atomic::new(1));
    let b = a.clone();
    let t = thread::spawn(move || {
        let g = pin();
        let p = b.load(Acquire, &g);
        assert!(unsafe { *p.deref() } > 0);
    });
    {
        let g = pin();
        let o = a.swap(Owned::new(2), AcqRel, &g);
        unsafe { g.defer_destroy(o) };
    }
    t.join().unwrap();
}
#[test]
fn crossbeam_array_queue() {
    let q = Arc::new(crossbeam_queue::ArrayQueue::new(2));
    let r = q.clone();
    two(move |i| {
        q.push(i).unwrap();
    });
    assert_eq!(r.len(), 2);
}
#[test]
fn crossbeam_seg_queue() {
    let q = Arc::new(crossbeam_queue::SegQueue::new());
    let r = q.clone();
    two(move |i| {
        q.push(i);
    });
    assert_eq!(r.len(), 2);
}
#[test]
fn crossbeam_wait_group() {
    let w = crossbeam_utils::sync::WaitGroup::new();
    let v = w.clone();
    let t = thread::spawn(move || drop(v));
    w.wait();
    t.join().unwrap();
}
#[test]
fn crossbeam_atomic_cell() {
    let c = Arc::new(crossbeam_utils::atomic::AtomicCell::new(0u64));
    let d = c.clone();
    two(move |i| {
        c.fetch_add(i as u64);
    });
    assert_eq!(d.load(), 3);
}
#[test]
fn parking_lot_mutex() {
    let m = Arc::new(parking_lot::Mutex::new(0));
    let n = m.clone();
    two(move |i| {
        *m.lock() += i;
    });
    assert_eq!(*n.lock(), 3);
}
#[test]
fn parking_lot_condvar() {
    let p = Arc::new((parking_lot::Mutex::new(false), parking_lot::Condvar::new()));
    let q = p.clone();
    let t = thread::spawn(move || {
        *q.0.lock() = true;
        q.1.notify_one();
    });
    let mut g = p.0.lock();
    while !*g {
        p.1.wait(&mut g);
    }
    drop(g);
    t.join().unwrap();
}
#[test]
fn parking_lot_rwlock() {
    let m = Arc::new(parking_lot::RwLock::new(0));
    two(move |i| {
        if i == 1 {
            *m.write() = 1
        } else {
            assert!(*m.read() < 2)
        }
    });
}
#[test]
fn once_cell_init() {
    let c = Arc::new(once_cell::sync::OnceCell::new());
    let d = c.clone();
    two(move |i| {
        c.get_or_init(|| i);
    });
    assert!(d.get().is_some());
}
#[test]
fn arc_swap_load() {
    let a = Arc::new(arc_swap::ArcSwap::from_pointee(1));
    two(move |i| {
        if i == 1 {
            a.store(Arc::new(2))
        } else {
            assert!(**a.load() > 0)
        }
    });
}
#[test]
fn dashmap_insert() {
    let m = Arc::new(dashmap::DashMap::with_capacity_and_shard_amount(4, 2));
    let n = m.clone();
    two(move |i| {
        m.insert(i, i);
    });
    assert_eq!(n.len(), 2);
}
#[test]
fn rayon_join() {
    let p = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    assert_eq!(
        p.install(|| {
            let (a, b) = rayon::join(|| 1, || 2);
            a + b
        }),
        3
    );
}
#[test]
fn concurrent_queue_two() {
    let q = Arc::new(concurrent_queue::ConcurrentQueue::bounded(2));
    let r = q.clone();
    two(move |i| {
        q.push(i).unwrap();
    });
    assert_eq!(r.len(), 2);
}
#[test]
fn event_listener_notify() {
    let e = Arc::new(event_listener::Event::new());
    let f = e.clone();
    let l = e.listen();
    let t = thread::spawn(move || f.notify(1));
    l.wait();
    t.join().unwrap();
}
#[test]
fn async_channel_blocking() {
    let (s, r) = async_channel::bounded(1);
    let t = thread::spawn(move || {
        s.send_blocking(1).unwrap();
    });
    assert_eq!(r.recv_blocking(), Ok(1));
    t.join().unwrap();
}
#[test]
fn flume_send() {
    let (s, r) = flume::bounded(1);
    let t = thread::spawn(move || {
        s.send(1).unwrap();
    });
    assert_eq!(r.recv(), Ok(1));
    t.join().unwrap();
}
#[test]
fn thread_local_get() {
    let t = Arc::new(thread_local::ThreadLocal::new());
    two(move |i| {
        assert!(*t.get_or(|| i) < 3);
    });
}
#[test]
fn threadpool_two() {
    let p = threadpool::ThreadPool::new(2);
    let (s, r) = std::sync::mpsc::channel();
    for i in 0..2 {
        let s = s.clone();
        p.execute(move || s.send(i).unwrap());
    }
    drop(s);
    assert_eq!(r.iter().sum::<i32>(), 1);
    p.join();
}
#[test]
fn sharded_slab_insert() {
    let s = Arc::new(sharded_slab::Slab::new());
    two(move |i| {
        let k = s.insert(i).unwrap();
        assert_eq!(*s.get(k).unwrap(), i);
        s.remove(k);
    });
}
#[test]
fn spin_mutex() {
    let m = Arc::new(spin::Mutex::new(0));
    let n = m.clone();
    two(move |i| {
        *m.lock() += i;
    });
    assert_eq!(*n.lock(), 3);
}
#[test]
fn spin_once() {
    let m = Arc::new(spin::Once::new());
    two(move |i| {
        m.call_once(|| i);
        assert!(m.get().is_some());
    });
}
#[test]
fn bytes_clone() {
    let b = bytes::Bytes::from(vec![1u8, 2]);
    two(move |_| {
        let c = b.clone();
        assert_eq!(c[0], 1);
        drop(c);
    });
}
#[test]
fn try_lock_two() {
    let m = Arc::new(try_lock::TryLock::new(0));
    two(move |i| {
        if let Some(mut g) = m.try_lock() {
            *g = i;
        }
    });
}
