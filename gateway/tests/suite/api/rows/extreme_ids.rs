//! Ids that fit into 64 bits but not into an SQL integer: every rpc treats them as unknown ids.
use axum::body::Body;
use http::Request;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, Kind, MessageDescriptor, Value};
use sahm_chassis::rpc::Transport;
use tonic::{Code, Status};
use tower::ServiceExt;

use crate::api::rows::site::Site;

/// Valid values of fields that are checked before ids, by field name.
const TEXTS: [(&str, &str); 8] = [
    ("locale", "en-us"),
    ("market", "us"),
    ("country_code", "SAU"),
    ("id", "id-1"),
    ("amount", "10"),
    ("currency", "SAR"),
    ("kind", "news"),
    ("session", "session-1"),
];

/// Sets all 64-bit fields to `id`, and the text fields of [`TEXTS`].
fn filled(descriptor: &MessageDescriptor, id: u64) -> DynamicMessage {
    let mut message = DynamicMessage::new(descriptor.clone());
    for field in descriptor.fields().filter(|field| !field.is_map()) {
        let value = match field.kind() {
            Kind::Uint64 => Value::U64(id),
            Kind::Uint32 => Value::U32(1),
            Kind::Bool => Value::Bool(true),
            Kind::Enum(_) => Value::EnumNumber(1),
            Kind::Message(inner) if inner != *descriptor => Value::Message(filled(&inner, id)),
            Kind::String => match TEXTS.iter().find(|(name, _)| *name == field.name()) {
                Some((_, text)) => Value::String((*text).to_owned()),
                None => continue,
            },
            _ => continue,
        };
        let value = if field.is_list() { Value::List(vec![value]) } else { value };
        message.set_field(&field, value);
    }
    message
}

/// The status code of a call, with this member in its metadata.
async fn code(transport: &Transport, path: &str, message: &DynamicMessage, member: u64) -> Code {
    let bytes = message.encode_to_vec();
    let mut frame = vec![0];
    frame.extend(u32::try_from(bytes.len()).unwrap().to_be_bytes());
    frame.extend(bytes);
    let request = Request::post(path)
        .header("content-type", "application/grpc")
        .header("sahm-member", member.to_string())
        .body(tonic::body::Body::new(Body::from(frame)));
    let response = transport.clone().oneshot(request.unwrap()).await.unwrap();
    Status::from_header_map(response.headers()).map_or(Code::Ok, |status| status.code())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn id_beyond_sql_range_is_never_an_internal_error() {
    let site = Site::start().await;
    let pool = DescriptorPool::decode(sahm_proto::DESCRIPTORS).unwrap();
    let mut calls = 0;
    for (name, transport) in &site.site.transports {
        let package = format!("sahm.{name}.v1");
        let services = pool.services().filter(|service| service.package_name() == package);
        let methods = services.flat_map(|service| service.methods().collect::<Vec<_>>());
        for method in methods.filter(|method| !method.is_client_streaming()) {
            let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
            for id in [1 << 63, u64::MAX] {
                let code = code(transport, &path, &filled(&method.input(), id), id).await;
                let is_ours = matches!(code, Code::Internal | Code::Unknown | Code::DataLoss);
                assert!(!is_ours, "{path} with {id}: {code:?}");
                calls += 1;
            }
        }
    }
    assert!(calls > 250, "{calls}");
}
