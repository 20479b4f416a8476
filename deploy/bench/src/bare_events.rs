//! The peer of event reports: the same call on a bare gRPC server, acknowledged after a bare group commit, which
//! appends waiting events to a file and syncs it.

use std::{
    fs::OpenOptions,
    io::Write,
    net::SocketAddr,
    path::Path,
    sync::mpsc::{self, Receiver, Sender},
};

use sahm_proto::attribution::v1::{
    BatchGetEventsRequest, BatchGetEventsResponse, BatchReportEventsRequest,
    BatchReportEventsResponse, GetEventRequest, GetEventResponse, ListEventsRequest,
    ListEventsResponse, ReportEventRequest, ReportEventResponse,
    event_service_server::{EventService, EventServiceServer},
};
use tokio::{net::TcpListener, sync::oneshot};
use tonic::{Request, Response, Status, transport::server::TcpIncoming};

/// Serves until it is killed; events are appended to a file in the folder.
pub(crate) fn run(folder: &Path) -> anyhow::Result<()> {
    let file = folder.join("events");
    let mut file = OpenOptions::new().create_new(true).append(true).open(file)?;
    let (jobs, waiting) = mpsc::channel();
    std::thread::spawn(move || {
        if let Err(error) = write(&mut file, &waiting) {
            let _ = writeln!(std::io::stderr(), "events are not written: {error}");
        }
    });
    // The same kind of runtime as the site's.
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(jobs))
}

async fn serve(jobs: Sender<Job>) -> anyhow::Result<()> {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    writeln!(std::io::stdout(), "ready http://{}", listener.local_addr()?)?;
    tonic::transport::Server::builder()
        .add_service(EventServiceServer::new(Calls { jobs }))
        .serve_with_incoming(TcpIncoming::from(listener).with_nodelay(Some(true)))
        .await?;
    Ok(())
}

struct Job {
    event: Vec<u8>,
    written: oneshot::Sender<()>,
}

/// The loop: takes all waiting events, writes them, syncs, acknowledges.
fn write(file: &mut std::fs::File, waiting: &Receiver<Job>) -> std::io::Result<()> {
    let (mut bytes, mut written) = (Vec::new(), Vec::new());
    while let Ok(first) = waiting.recv() {
        for job in std::iter::once(first).chain(waiting.try_iter()) {
            bytes.extend_from_slice(&job.event);
            written.push(job.written);
        }
        file.write_all(&bytes)?;
        file.sync_data()?;
        bytes.clear();
        for one in written.drain(..) {
            // The caller is gone, which is not an error.
            let _ = one.send(());
        }
    }
    Ok(())
}

struct Calls {
    jobs: Sender<Job>,
}

#[tonic::async_trait]
impl EventService for Calls {
    async fn report_event(
        &self,
        request: Request<ReportEventRequest>,
    ) -> Result<Response<ReportEventResponse>, Status> {
        let event = request.into_inner();
        let event_id = event.event_id.clone().unwrap_or_default();
        let mut bytes = serde_json::to_vec(&event).map_err(|e| Status::internal(e.to_string()))?;
        bytes.push(b'\n');
        let (written, done) = oneshot::channel();
        let job = Job { event: bytes, written };
        self.jobs.send(job).map_err(|_| Status::unavailable("not written"))?;
        done.await.map_err(|_| Status::unavailable("not written"))?;
        Ok(Response::new(ReportEventResponse { accepted: true, event_id }))
    }

    async fn batch_report_events(
        &self,
        _: Request<BatchReportEventsRequest>,
    ) -> Result<Response<BatchReportEventsResponse>, Status> {
        Err(Status::unimplemented("report_event is what is measured"))
    }

    async fn list_events(
        &self,
        _: Request<ListEventsRequest>,
    ) -> Result<Response<ListEventsResponse>, Status> {
        Err(Status::unimplemented("report_event is what is measured"))
    }

    async fn get_event(
        &self,
        _: Request<GetEventRequest>,
    ) -> Result<Response<GetEventResponse>, Status> {
        Err(Status::unimplemented("report_event is what is measured"))
    }

    async fn batch_get_events(
        &self,
        _: Request<BatchGetEventsRequest>,
    ) -> Result<Response<BatchGetEventsResponse>, Status> {
        Err(Status::unimplemented("report_event is what is measured"))
    }
}
