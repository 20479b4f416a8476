//! The caller of a call, in process and over TCP: propagated, and trusted only from the gateway.

use futures_util::{StreamExt, stream::BoxStream};
use sahm_chassis::{
    Context, Process, ServiceName, Settings,
    caller::{self, Caller},
    lifecycle::bind,
    rpc::{self, Transport},
};
use sahm_proto::{
    changes::v1::{
        PurgeTagsRequest, PurgeTagsResponse, WatchChangesRequest, WatchChangesResponse,
        change_log_service_client::ChangeLogServiceClient,
        change_log_service_server::{ChangeLogService, ChangeLogServiceServer},
    },
    content::v1::{
        GetMediaRequest, GetMediaResponse,
        media_service_client::MediaServiceClient,
        media_service_server::{MediaService, MediaServiceServer},
    },
};
use tonic::{Request, Response, Status, metadata::MetadataValue};

/// Responds with its caller.
#[derive(Clone)]
struct EchoCaller;

fn caller_text() -> String {
    format!("{:?}", caller::current())
}

#[tonic::async_trait]
impl MediaService for EchoCaller {
    async fn get_media(
        &self,
        _: Request<GetMediaRequest>,
    ) -> Result<Response<GetMediaResponse>, Status> {
        Ok(Response::new(GetMediaResponse { name: caller_text(), ..GetMediaResponse::default() }))
    }
}

#[tonic::async_trait]
impl ChangeLogService for EchoCaller {
    type WatchChangesStream = BoxStream<'static, Result<WatchChangesResponse, Status>>;

    async fn watch_changes(
        &self,
        _: Request<WatchChangesRequest>,
    ) -> Result<Response<Self::WatchChangesStream>, Status> {
        let one =
            async { Ok(WatchChangesResponse { log_id: caller_text(), ..Default::default() }) };
        Ok(Response::new(futures_util::stream::once(one).boxed()))
    }

    async fn purge_tags(
        &self,
        _: Request<PurgeTagsRequest>,
    ) -> Result<Response<PurgeTagsResponse>, Status> {
        Ok(Response::new(PurgeTagsResponse::default()))
    }
}

fn context(process: Process, pairs: &[(&str, &str)]) -> Context {
    let pairs = pairs.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    Context::new(Settings::from_pairs(process, pairs).unwrap())
}

fn service(context: &Context) -> rpc::Service {
    rpc::Builder::new(ServiceName::Content, context)
        .add(MediaServiceServer::new(EchoCaller))
        .add(ChangeLogServiceServer::new(EchoCaller))
        .build()
}

async fn serve(context: &Context) -> String {
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    rpc::serve(listener, service(context), context);
    url
}

async fn get_media(transport: &Transport, request: Request<GetMediaRequest>) -> String {
    MediaServiceClient::new(transport.clone()).get_media(request).await.unwrap().into_inner().name
}

async fn watch(transport: &Transport) -> String {
    let mut client = ChangeLogServiceClient::new(transport.clone());
    let response = client.watch_changes(WatchChangesRequest::default()).await.unwrap();
    response.into_inner().message().await.unwrap().unwrap().log_id
}

fn member() -> Caller {
    Caller {
        service: None,
        address: Some("203.0.113.9".parse().unwrap()),
        member: Some(42),
        session: Some("session-1".to_owned()),
        visitor: Some("visitor-1".to_owned()),
        user_agent: Some("Mozilla/5.0".to_owned()),
        is_sign_up_off: true,
    }
}

const UAT: [(&str, &str); 3] = [
    ("SAHM_ENV", "uat"),
    ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef"),
    ("SAHM_CALLER_TOKENS", "gateway=gateway-token-0001,content=content-token-0001"),
];

#[tokio::test]
async fn caller_is_propagated_in_process_and_in_dev() {
    let context = context(Process::Gateway, &[]);
    let remote = Transport::connect(&serve(&context).await, &context);
    for transport in [Transport::local(service(&context).routes), remote] {
        let expected = format!("{:?}", member());
        let call = get_media(&transport, Request::new(GetMediaRequest::default()));
        assert_eq!(caller::with(member(), call).await, expected);
        assert_eq!(caller::with(member(), watch(&transport)).await, expected);
        let nobody = get_media(&transport, Request::new(GetMediaRequest::default())).await;
        assert_eq!(nobody, format!("{:?}", Caller::default()));
    }
}

#[tokio::test]
async fn outside_dev_only_the_gateway_sets_the_caller() {
    let url = serve(&context(Process::Service(ServiceName::Content), &UAT)).await;
    let named = |name: &str| Caller { service: Some(name.to_owned()), ..Caller::default() };
    let gateway = Caller { service: Some("gateway".to_owned()), ..member() };
    let cases = [
        (Process::Gateway, gateway),
        (Process::Service(ServiceName::Content), named("content")),
        // This process has no caller token.
        (Process::Service(ServiceName::Quotes), Caller::default()),
    ];
    for (process, expected) in cases {
        let transport = Transport::connect(&url, &context(process, &UAT));
        let call = get_media(&transport, Request::new(GetMediaRequest::default()));
        assert_eq!(caller::with(member(), call).await, format!("{expected:?}"), "{process:?}");
    }
}

#[tokio::test]
async fn caller_metadata_of_the_request_is_replaced() {
    let context = context(Process::Gateway, &[]);
    let transport = Transport::local(service(&context).routes);
    let mut forged = Request::new(GetMediaRequest::default());
    forged.metadata_mut().insert("sahm-member", MetadataValue::from_static("7"));
    assert_eq!(get_media(&transport, forged).await, format!("{:?}", Caller::default()));
}
