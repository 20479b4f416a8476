//! The JSON API over services in process.

use axum::body::Body;
use futures_util::future::BoxFuture;
use http::{HeaderMap, Request, header};
use http_body_util::BodyExt;
use sahm_chassis::{
    clock::Clock,
    lifecycle::Context,
    rpc::{self, Transport},
    settings::{Process, ServiceName, Settings},
};
use sahm_gateway::{Services, api::Api};
use serde_json::{Value, json};

pub(crate) const FORM: &str = "application/x-www-form-urlencoded";
pub(crate) const JSON: &str = "application/json";

/// `Service::start` of a service.
type Start = for<'a> fn(&'a Context, Clock) -> BoxFuture<'a, anyhow::Result<rpc::Service>>;

/// The API and the services behind it.
pub(crate) struct Site {
    pub(crate) api: Api,
    pub(crate) transports: Vec<(ServiceName, Transport)>,
    pub(crate) context: Context,
    data: tempfile::TempDir,
}

impl Site {
    pub(crate) async fn start<const N: usize>(services: [(Start, Clock); N]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let pairs = [("SAHM_DATA_DIR".to_owned(), data.path().display().to_string())];
        let context = Context::new(Settings::from_pairs(Process::Site, pairs).unwrap());
        let mut transports = Vec::new();
        for (start, clock) in services {
            let service = start(&context, clock).await.unwrap();
            transports.push((service.name, Transport::local(service.routes)));
        }
        let api = Api::new(&Services::new(transports.clone()), &context).unwrap();
        Self { api, transports, context, data }
    }

    pub(crate) fn transport(&self, name: ServiceName) -> Transport {
        self.transports.iter().find(|(service, _)| *service == name).unwrap().1.clone()
    }

    pub(crate) async fn handle(&self, request: Request<Body>) -> Response {
        Response::read(self.api.handle(request).await).await
    }

    pub(crate) async fn send(
        &self,
        method: &str,
        uri: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Response {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.handle(request.body(body.into()).unwrap()).await
    }

    pub(crate) async fn get(&self, uri: &str) -> Response {
        self.send("GET", uri, &[], "").await
    }

    pub(crate) async fn form(&self, uri: &str, cookie: &str, body: &str) -> Response {
        let headers = [("content-type", FORM), ("cookie", cookie)];
        self.send("POST", uri, &headers, body.to_owned()).await
    }

    pub(crate) async fn json(&self, uri: &str, cookie: &str, body: &Value) -> Response {
        let headers = [("content-type", JSON), ("cookie", cookie)];
        self.send("POST", uri, &headers, body.to_string()).await
    }

    /// Makes a call by form and JSON, which must have the same response.
    pub(crate) async fn post(
        &self,
        uri: &str,
        cookie: &str,
        parameters: &Parameters<'_>,
    ) -> Response {
        let form = self.form(uri, cookie, &query(parameters)).await;
        let json = self.json(uri, cookie, &object(parameters)).await;
        assert_eq!((form.status, &form.json), (json.status, &json.json), "{uri}");
        form
    }

    /// Makes a call by GET, form and JSON, which must have the same response.
    pub(crate) async fn read(&self, path: &str, parameters: &Parameters<'_>) -> Response {
        let get = self.get(&format!("{path}?{}", query(parameters))).await;
        let posted = self.post(path, "", parameters).await;
        assert_eq!((get.status, &get.json), (posted.status, &posted.json), "{path}");
        get
    }

    /// `data` of a successful call by GET, form and JSON.
    pub(crate) async fn data(&self, path: &str, parameters: &Parameters<'_>) -> Value {
        let response = self.read(path, parameters).await;
        assert_eq!((response.status, response.code()), (200, 10_000_000), "{path}");
        response.data().clone()
    }

    /// Logs in a member of the seed; returns the session cookie.
    pub(crate) async fn log_in(&self, account: &str) -> String {
        let body = json!({ "account": account, "password": sahm_identity::seed::PASSWORD });
        let login = self.json("/api/passport/password/login", "", &body).await;
        login.cookie("sahm_session").unwrap()
    }

    /// The code in the last text message.
    pub(crate) fn code(&self) -> String {
        let path = self.data.path().join("outbox").join("sms.jsonl");
        let text = std::fs::read_to_string(path).unwrap();
        let message: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        message["code"].as_str().unwrap().to_owned()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// `Null` if the body is empty.
    pub(crate) json: Value,
}

impl Response {
    pub(crate) async fn read(response: http::Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let is_empty = body.is_empty();
        let json = if is_empty { Value::Null } else { serde_json::from_slice(&body).unwrap() };
        assert_eq!(parts.headers[header::CACHE_CONTROL], "no-store");
        Self { status: parts.status.as_u16(), headers: parts.headers, json }
    }

    pub(crate) fn code(&self) -> u64 {
        self.json["code"].as_u64().unwrap()
    }

    pub(crate) fn data(&self) -> &Value {
        &self.json["data"]
    }

    /// The errors of the parameters, by name.
    pub(crate) fn fields(&self) -> &Value {
        &self.data()["fields"]
    }

    /// The `Set-Cookie` value of a cookie.
    pub(crate) fn set_cookie(&self, name: &str) -> Option<&str> {
        let lines = self.headers.get_all(header::SET_COOKIE).iter();
        let mut lines = lines.map(|line| line.to_str().unwrap());
        lines.find(|line| line.split_once('=').is_some_and(|(set, _)| set == name))
    }

    /// A cookie that the response sets, as a browser sends it.
    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        self.set_cookie(name).map(|line| line.split(';').next().unwrap().to_owned())
    }
}

pub(crate) type Parameters<'a> = [(&'a str, &'a str)];

/// Parameters as a query or form.
pub(crate) fn query(parameters: &[(&str, impl AsRef<str>)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish()
}

/// Parameters as a JSON object; a list is given as JSON.
pub(crate) fn object(parameters: &[(&str, impl AsRef<str>)]) -> Value {
    let fields = parameters.iter().map(|(name, value)| {
        let value = value.as_ref();
        let is_list = value.starts_with('[');
        let value: Value =
            if is_list { serde_json::from_str(value).unwrap() } else { value.into() };
        ((*name).to_owned(), value)
    });
    Value::Object(fields.collect())
}
