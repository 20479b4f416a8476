//! The API with the content service, seeded, at a fixed time.
use axum::body::Body;
use http::{HeaderMap, Request, header};
use http_body_util::BodyExt;
use sahm_chassis::{
    clock::Clock,
    lifecycle::Context,
    rpc::Transport,
    service::Service,
    settings::{Process, ServiceName, Settings},
};
use sahm_gateway::{Services, api::Api};
use serde_json::{Map, Value};

pub(crate) const FORM: &str = "application/x-www-form-urlencoded";
pub(crate) const JSON: &str = "application/json";

/// 2026-11-21.
pub(crate) const NOW: u32 = 1_795_219_200;

pub(crate) struct Site {
    api: Api,
    context: Context,
    _data: tempfile::TempDir,
}

/// A response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) json: Value,
}

impl Response {
    pub(crate) fn code(&self) -> u64 {
        self.json["code"].as_u64().unwrap()
    }

    pub(crate) fn data(&self) -> &Value {
        &self.json["data"]
    }

    /// The value of the cookie `vid` that the response sets.
    pub(crate) fn visitor(&self) -> Option<String> {
        let cookies = self.headers.get_all(header::SET_COOKIE).iter();
        let mut named = cookies.filter_map(|cookie| cookie.to_str().ok()?.strip_prefix("vid="));
        named.next().map(|value| value.split(';').next().unwrap().to_owned())
    }
}

impl Site {
    pub(crate) async fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let pairs = [("SAHM_DATA_DIR".to_owned(), data.path().display().to_string())];
        let context = Context::new(Settings::from_pairs(Process::Site, pairs).unwrap());
        let content = sahm_content::Content::start(&context, Clock::fixed(NOW)).await.unwrap();
        let services = Services::new([(ServiceName::Content, Transport::local(content.routes))]);
        let api = Api::new(&services, &context).unwrap();
        Self { api, context, _data: data }
    }

    pub(crate) async fn get(&self, uri: &str) -> Response {
        self.handle(Request::get(uri).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, uri: &str, kind: &str, body: &str, cookie: &str) -> Response {
        let request = Request::post(uri).header(header::CONTENT_TYPE, kind);
        let request = request.header(header::COOKIE, cookie);
        self.handle(request.body(body.to_owned().into()).unwrap()).await
    }

    pub(crate) async fn form(&self, uri: &str, parameters: &[(&str, &str)]) -> Response {
        self.post(uri, FORM, &pairs(parameters), "").await
    }

    pub(crate) async fn json(&self, uri: &str, parameters: &[(&str, &str)]) -> Response {
        let object: Map<_, _> =
            parameters.iter().map(|&(name, value)| (name.to_owned(), Value::from(value))).collect();
        self.post(uri, JSON, &Value::from(object).to_string(), "").await
    }

    async fn handle(&self, request: Request<Body>) -> Response {
        let (parts, body) = self.api.handle(request).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let json = serde_json::from_slice(&body).unwrap();
        Response { status: parts.status.as_u16(), headers: parts.headers, json }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

/// Parameters as a query or form.
pub(crate) fn pairs(parameters: &[(&str, &str)]) -> String {
    let pair = |(name, value): &(&str, &str)| {
        let value: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
        format!("{name}={value}")
    };
    parameters.iter().map(pair).collect::<Vec<_>>().join("&")
}
