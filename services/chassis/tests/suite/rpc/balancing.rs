//! Calls to a name with several addresses: balancing, failover and replaced replicas.
use super::*;

/// A resolver whose addresses the test sets.
#[derive(Clone, Default)]
struct Names(Arc<Mutex<Option<Vec<SocketAddr>>>>, Arc<AtomicUsize>);

impl Names {
    fn set(&self, addresses: Option<&[SocketAddr]>) {
        *self.0.lock().unwrap() = addresses.map(<[SocketAddr]>::to_vec);
    }

    /// Waits until the name has been resolved again and its addresses are in use.
    async fn resolved(&self) {
        let before = self.1.load(Ordering::SeqCst);
        while self.1.load(Ordering::SeqCst) < before + 2 {
            tokio::time::sleep(REFRESH_INTERVAL / 4).await;
        }
    }
}

#[tonic::async_trait]
impl Resolve for Names {
    async fn resolve(&self, _: &str, _: u16) -> io::Result<Vec<SocketAddr>> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.lock().unwrap().clone().ok_or_else(|| io::Error::other("no answer"))
    }
}

const REFRESH_INTERVAL: Duration = Duration::from_millis(20);

fn connect(names: &Names, ctx: &Context) -> Transport {
    connect_by(Policy::LeastLoaded, names, ctx)
}

fn connect_by(policy: Policy, names: &Names, ctx: &Context) -> Transport {
    Transport::connect_with(
        policy,
        "http://content:7001",
        ctx,
        Arc::new(names.clone()),
        REFRESH_INTERVAL,
    )
}

/// Names of the replicas that respond to many calls.
async fn responders(transport: &Transport) -> Vec<String> {
    let mut names = Vec::new();
    for _ in 0..20 {
        let response = get(transport, "x").await.unwrap_or_else(|status| GetMediaResponse {
            name: format!("{:?}", status.code()),
            ..GetMediaResponse::default()
        });
        names.push(response.name);
    }
    names.sort();
    names.dedup();
    names
}

/// Calls until exactly these replicas respond.
async fn until_served_by(transport: &Transport, expected: &[&str]) {
    let started = Instant::now();
    loop {
        let found = responders(transport).await;
        if found == expected {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(8), "{found:?} instead of {expected:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_balanced_over_the_names_current_addresses() {
    let (ctx_a, ctx_b, ctx) = (context(), context(), context());
    let a = serve(&Probe { name: "a", ..Probe::default() }, &ctx_a).await;
    let b = serve(&Probe { name: "b", ..Probe::default() }, &ctx_b).await;
    let names = Names::default();
    names.set(Some(&[a, b]));
    let transport = connect(&names, &ctx);
    assert_eq!(responders(&transport).await, ["a", "b"]);
    names.set(Some(&[b]));
    until_served_by(&transport, &["b"]).await;
    // A name that does not resolve, or resolves to nothing, keeps its last addresses.
    names.set(None);
    names.resolved().await;
    assert_eq!(responders(&transport).await, ["b"]);
    names.set(Some(&[]));
    names.resolved().await;
    assert_eq!(responders(&transport).await, ["b"]);
    names.set(Some(&[a]));
    until_served_by(&transport, &["a"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_of_the_first_address_share_a_replica_until_it_stops_or_hangs() {
    let (ctx_a, ctx_b, ctx) = (context(), context(), context());
    let calls = Arc::new(AtomicUsize::new(0));
    let probe = |name| Probe { name, calls: calls.clone(), ..Probe::default() };
    let mut replicas = [
        (serve(&probe("a"), &ctx_a).await, "a", ctx_a),
        (serve(&probe("b"), &ctx_b).await, "b", ctx_b),
    ];
    replicas.sort_by_key(|(address, ..)| *address);
    let [(one, first, stops), (two, second, _)] = replicas;
    let mut transports = Vec::new();
    // Resolvers return the addresses in any order.
    for addresses in [[one, two], [two, one]] {
        let names = Names::default();
        names.set(Some(&addresses));
        transports.push(connect_by(Policy::PickFirst, &names, &ctx));
    }
    for transport in &transports {
        assert_eq!(responders(transport).await, [first]);
    }
    // Calls that never end, as if the replica hung, occupy it for one caller.
    let hanging = (0..40).map(|_| {
        let transport = transports[0].clone();
        tokio::spawn(async move { get(&transport, "slow").await })
    });
    let before = calls.load(Ordering::SeqCst);
    let hanging = hanging.collect::<Vec<_>>();
    let started = Instant::now();
    while calls.load(Ordering::SeqCst) < before + hanging.len() {
        assert!(started.elapsed() < Duration::from_secs(8), "the calls do not arrive");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(responders(&transports[0]).await, [second]);
    assert_eq!(responders(&transports[1]).await, [first]);
    for call in hanging {
        call.abort();
    }
    until_served_by(&transports[0], &[first]).await;
    stops.lifecycle.drain();
    stops.lifecycle.wait().await;
    for transport in &transports {
        assert_eq!(responders(transport).await, [second]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unreachable_address_is_avoided() {
    let (ctx_a, ctx_b, ctx) = (context(), context(), context());
    let a = serve(&Probe { name: "a", ..Probe::default() }, &ctx_a).await;
    let b = serve(&Probe { name: "b", ..Probe::default() }, &ctx_b).await;
    let names = Names::default();
    names.set(Some(&[a, b]));
    let transport = connect(&names, &ctx);
    assert_eq!(responders(&transport).await, ["a", "b"]);
    ctx_a.lifecycle.drain();
    ctx_a.lifecycle.wait().await;
    // No call fails meanwhile, not even one that writes: a refused call was never sent.
    for _ in 0..50 {
        assert_eq!(get(&transport, "x").await.unwrap().name, "b");
        let mut client = ChangeLogServiceClient::new(transport.clone());
        client.purge_tags(PurgeTagsRequest::default()).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_reaches_the_only_reachable_address_of_eight() {
    let (live, ctx) = (context(), context());
    let mut addresses = vec![serve(&Probe::default(), &live).await];
    for _ in 0..7 {
        let closed = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
        addresses.push(closed.local_addr().unwrap());
    }
    let names = Names::default();
    names.set(Some(&addresses));
    // A new transport knows of no unreachable address and may begin with any.
    for _ in 0..8 {
        let mut client = ChangeLogServiceClient::new(connect(&names, &ctx));
        client.purge_tags(PurgeTagsRequest::default()).await.unwrap();
    }
}

/// Serves PurgeTags after it has reset the first streams. Returns the number of streams so far too.
async fn reset_first(mut streams: usize, reason: h2::Reason) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let accepted_streams = Arc::new(AtomicUsize::new(0));
    let count = accepted_streams.clone();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut connection = h2::server::handshake(stream).await.unwrap();
        while let Some(accepted) = connection.accept().await {
            let (_, mut respond) = accepted.unwrap();
            count.fetch_add(1, Ordering::SeqCst);
            if streams > 0 {
                streams -= 1;
                respond.send_reset(reason);
                continue;
            }
            let head = http::Response::builder().header("content-type", "application/grpc");
            let mut body = respond.send_response(head.body(()).unwrap(), false).unwrap();
            // An empty message: uncompressed, zero bytes.
            body.send_data(Bytes::from_static(&[0; 5]), false).unwrap();
            let trailers = http::HeaderMap::from_iter([(
                http::HeaderName::from_static("grpc-status"),
                http::HeaderValue::from_static("0"),
            )]);
            body.send_trailers(trailers).unwrap();
        }
    });
    (address, accepted_streams)
}

#[tokio::test]
async fn call_refused_by_closing_connections_is_sent_again() {
    let ctx = context();
    // A process that shuts down refuses streams unprocessed.
    const REFUSED: h2::Reason = h2::Reason::REFUSED_STREAM;
    let names = Names::default();
    names.set(Some(&[reset_first(2, REFUSED).await.0, reset_first(2, REFUSED).await.0]));
    let mut client = ChangeLogServiceClient::new(connect(&names, &ctx));
    client.purge_tags(PurgeTagsRequest::default()).await.unwrap();
    // The number of attempts is bounded.
    let (address, streams) = reset_first(usize::MAX, REFUSED).await;
    names.set(Some(&[address]));
    let mut client = ChangeLogServiceClient::new(connect(&names, &ctx));
    let refused = client.purge_tags(PurgeTagsRequest::default()).await;
    assert_eq!(refused.unwrap_err().code(), Code::Unavailable);
    assert_eq!(streams.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn call_that_may_have_been_processed_is_sent_again_only_without_side_effects() {
    let ctx = context();
    let names = Names::default();
    for (has_side_effects, attempts) in [(true, 1), (false, 3)] {
        let (address, streams) = reset_first(usize::MAX, h2::Reason::INTERNAL_ERROR).await;
        names.set(Some(&[address]));
        let transport = connect(&names, &ctx);
        let failed = if has_side_effects {
            let mut client = ChangeLogServiceClient::new(transport);
            client.purge_tags(PurgeTagsRequest::default()).await.map(drop)
        } else {
            get(&transport, "x").await.map(drop)
        };
        assert_eq!(failed.unwrap_err().code(), Code::Unavailable);
        assert_eq!(streams.load(Ordering::SeqCst), attempts, "{has_side_effects}");
    }
}

/// Two replicas are replaced in turn during calls that write and therefore are never retried. None
/// may fail, and each is served once, whatever connection it was sent over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_is_lost_or_repeated_while_replicas_are_replaced() {
    const CALLERS: usize = 16;
    const ROUNDS: usize = 20;
    let (probe, ctx) = (Probe::default(), context());
    let mut lives = [context(), context()];
    let addresses = [serve(&probe, &lives[0]).await, serve(&probe, &lives[1]).await];
    let names = Names::default();
    names.set(Some(&addresses));
    let transport = connect(&names, &ctx);
    let (over, started) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let caller = || {
        let (over, started) = (over.clone(), started.clone());
        let mut client = ChangeLogServiceClient::new(transport.clone());
        tokio::spawn(async move {
            while !over.load(Ordering::SeqCst) {
                started.fetch_add(1, Ordering::SeqCst);
                client.purge_tags(PurgeTagsRequest::default()).await?;
            }
            Ok::<_, Status>(())
        })
    };
    let callers: Vec<_> = std::iter::repeat_with(caller).take(CALLERS).collect();
    for round in 0..ROUNDS {
        let at = round % 2;
        let before = started.load(Ordering::SeqCst);
        while started.load(Ordering::SeqCst) < before + 10 * CALLERS && !callers[0].is_finished() {
            tokio::task::yield_now().await;
        }
        lives[at].lifecycle.drain();
        lives[at].lifecycle.wait().await;
        lives[at] = context();
        let listener = bind(addresses[at]).await.unwrap();
        rpc::serve(listener, service(&probe, &lives[at]), &lives[at]);
    }
    over.store(true, Ordering::SeqCst);
    for caller in callers {
        caller.await.unwrap().unwrap();
    }
    assert_eq!(probe.calls.load(Ordering::SeqCst), started.load(Ordering::SeqCst));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopped_service_is_unavailable_until_it_restarts() {
    let (first, ctx) = (context(), context());
    let address = serve(&Probe { name: "a", ..Probe::default() }, &first).await;
    let transport = Transport::connect(&format!("http://{address}"), &ctx);
    assert_eq!(responders(&transport).await, ["a"]);
    first.lifecycle.drain();
    first.lifecycle.wait().await;
    let started = Instant::now();
    assert_eq!(get(&transport, "x").await.unwrap_err().code(), Code::Unavailable);
    assert!(started.elapsed() < Duration::from_millis(700), "{:?}", started.elapsed());
    let second = context();
    let listener = bind(address).await.unwrap();
    rpc::serve(listener, service(&Probe { name: "b", ..Probe::default() }, &second), &second);
    until_served_by(&transport, &["b"]).await;
    let unknown = connect(&Names::default(), &ctx);
    assert_eq!(get(&unknown, "x").await.unwrap_err().code(), Code::Unavailable);
}

/// A connection past its age receives no more calls, and its streams continue until the drain.
#[tokio::test]
async fn stream_outlives_the_maximum_age_of_its_connection() {
    const AGE: Duration = Duration::from_millis(50);
    let (ctx, probe) = (context(), Probe::default());
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    rpc::serve_with_connection_age(listener, service(&probe, &ctx), &ctx, AGE);
    let transport = Transport::connect(&format!("http://{address}"), &ctx);
    let mut client = ChangeLogServiceClient::new(transport.clone());
    let stream = client.watch_changes(WatchChangesRequest::default()).await.unwrap();
    let mut stream = stream.into_inner();
    stream.next().await.unwrap().unwrap();
    let first = get(&transport, "peer").await.unwrap().name;
    let mut connections = std::collections::HashSet::from([first]);
    let began = Instant::now();
    // The stream's connection is more than twice its maximum age.
    while connections.len() < 3 {
        assert!(began.elapsed() < Duration::from_secs(8), "{connections:?}");
        connections.insert(get(&transport, "peer").await.unwrap().name);
        tokio::task::yield_now().await;
    }
    probe.next_change.notify_one();
    stream.next().await.unwrap().unwrap();
    ctx.lifecycle.drain();
    let end = stream.next().await.unwrap().unwrap_err();
    assert_eq!((end.code(), &*reason(&end)), (Code::Unavailable, "UNAVAILABLE"));
}
