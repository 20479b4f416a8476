//! How failures of a service are reported, with a NewsService that fails on demand.

use std::time::Duration;

use axum::body::Body;
use http::{Request, StatusCode, header};
use http_body_util::BodyExt;
use sahm_chassis::{
    error::{Error, ErrorCode},
    lifecycle::Context,
    rpc::{Builder, Transport},
    settings::{Process, ServiceName, Settings},
};
use sahm_gateway::{Services, api::Api};
use sahm_proto::content::v1::{
    self as wire, AddArticleReadLogRequest, AddArticleReadLogResponse, BatchGetArticlesRequest,
    BatchGetArticlesResponse, GetArticleRequest, GetArticleResponse, ListArticleRefsRequest,
    ListArticleRefsResponse, ListArticlesRequest, ListArticlesResponse, ListTabArticlesRequest,
    ListTabArticlesResponse, ListTabsRequest, ListTabsResponse, WithdrawArticlesRequest,
    WithdrawArticlesResponse,
    news_service_server::{NewsService, NewsServiceServer},
};
use serde_json::Value;
use tonic::{Request as Rpc, Response, Status};

const SECRET: &str = "relation news_article on 10.0.0.7";

/// Fails GetArticle with the code in `from`; `slow` never responds, `bare` fails without details.
struct Failing;

#[tonic::async_trait]
impl NewsService for Failing {
    async fn get_article(
        &self,
        request: Rpc<GetArticleRequest>,
    ) -> Result<Response<GetArticleResponse>, Status> {
        let from = request.into_inner().from;
        match from.as_str() {
            "slow" => std::future::pending().await,
            "bare" => Err(Status::internal(SECRET)),
            _ => {
                let code = ErrorCode::from_name(&from).unwrap();
                let error = Error::new(code, SECRET).with_source(SECRET);
                Err(match code {
                    ErrorCode::Parameter | ErrorCode::Rejected => {
                        error.and_field("content_ids[2]", "is odd").into()
                    }
                    ErrorCode::TooMany => {
                        error.with_retry_after(Duration::from_millis(6_200)).into()
                    }
                    _ => error.into(),
                })
            }
        }
    }

    async fn list_tabs(
        &self,
        _: Rpc<ListTabsRequest>,
    ) -> Result<Response<ListTabsResponse>, Status> {
        Ok(Response::new(ListTabsResponse::default()))
    }

    async fn get_tab(
        &self,
        _: Rpc<wire::GetTabRequest>,
    ) -> Result<Response<wire::GetTabResponse>, Status> {
        Err(Status::unimplemented(SECRET))
    }

    async fn batch_get_tabs(
        &self,
        _: Rpc<wire::BatchGetTabsRequest>,
    ) -> Result<Response<wire::BatchGetTabsResponse>, Status> {
        Err(Status::unimplemented(SECRET))
    }

    async fn list_tab_articles(
        &self,
        _: Rpc<ListTabArticlesRequest>,
    ) -> Result<Response<ListTabArticlesResponse>, Status> {
        Err(Error::field("tab_id", "is odd").into())
    }

    async fn list_articles(
        &self,
        _: Rpc<ListArticlesRequest>,
    ) -> Result<Response<ListArticlesResponse>, Status> {
        Err(Status::unimplemented(SECRET))
    }

    async fn batch_get_articles(
        &self,
        _: Rpc<BatchGetArticlesRequest>,
    ) -> Result<Response<BatchGetArticlesResponse>, Status> {
        Err(Error::field("content_ids[2]", "is odd").into())
    }

    async fn add_article_read_log(
        &self,
        _: Rpc<AddArticleReadLogRequest>,
    ) -> Result<Response<AddArticleReadLogResponse>, Status> {
        Err(Status::unimplemented(SECRET))
    }

    async fn list_unread(
        &self,
        _: Rpc<wire::ListUnreadRequest>,
    ) -> Result<Response<wire::ListUnreadResponse>, Status> {
        Err(Status::unimplemented(SECRET))
    }

    async fn list_recommended_news(
        &self,
        _: Rpc<wire::ListRecommendedNewsRequest>,
    ) -> Result<Response<wire::ListRecommendedNewsResponse>, Status> {
        Err(Status::unimplemented(SECRET))
    }

    async fn list_related_stocks(
        &self,
        _: Rpc<wire::ListRelatedStocksRequest>,
    ) -> Result<Response<wire::ListRelatedStocksResponse>, Status> {
        Err(Status::unimplemented(SECRET))
    }

    async fn translate_article(
        &self,
        _: Rpc<wire::TranslateArticleRequest>,
    ) -> Result<Response<wire::TranslateArticleResponse>, Status> {
        Err(Status::unimplemented(SECRET))
    }

    async fn operate_like(
        &self,
        _: Rpc<wire::OperateLikeRequest>,
    ) -> Result<Response<wire::OperateLikeResponse>, Status> {
        Err(Status::unimplemented(SECRET))
    }

    async fn list_likes(
        &self,
        _: Rpc<wire::ListLikesRequest>,
    ) -> Result<Response<wire::ListLikesResponse>, Status> {
        Err(Status::unimplemented(SECRET))
    }

    async fn withdraw_articles(
        &self,
        _: Rpc<WithdrawArticlesRequest>,
    ) -> Result<Response<WithdrawArticlesResponse>, Status> {
        panic!("an rpc without annotation was reached")
    }

    async fn list_article_refs(
        &self,
        _: Rpc<ListArticleRefsRequest>,
    ) -> Result<Response<ListArticleRefsResponse>, Status> {
        panic!("an rpc without annotation was reached")
    }
}

fn api() -> Api {
    let pairs = [("SAHM_DATA_DIR".to_owned(), env!("CARGO_TARGET_TMPDIR").to_owned())];
    let context = Context::new(Settings::from_pairs(Process::Gateway, pairs).unwrap());
    let service =
        Builder::new(ServiceName::Content, &context).add(NewsServiceServer::new(Failing)).build();
    let services = Services::new([(ServiceName::Content, Transport::local(service.routes))]);
    Api::new(&services, &context).unwrap()
}

async fn get(api: &Api, uri: &str) -> (http::response::Parts, Value) {
    let response = api.handle(Request::get(uri).body(Body::empty()).unwrap()).await;
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let text = String::from_utf8(body.to_vec()).unwrap();
    assert!(!text.contains("10.0.0.7") && !text.contains("relation"), "{text}");
    (parts, serde_json::from_str(&text).unwrap())
}

#[tokio::test]
async fn each_error_code_has_its_status_and_leaks_no_internals() {
    let api = api();
    for code in ErrorCode::all() {
        let uri = format!("/api/news/content/detail?id=1&from={}", code.name());
        let (parts, json) = get(&api, &uri).await;
        assert_eq!(parts.status.as_u16(), code.http_status(), "{code:?}");
        assert_eq!(json["code"], code.number(), "{code:?}");
        assert_eq!(json["error"], code.name());
        assert_eq!(json["msg"], json["errorHK"]);
        let waits = [
            ErrorCode::TooMany,
            ErrorCode::Unavailable,
            ErrorCode::TurnedOff,
            ErrorCode::Unimplemented,
        ];
        let waits = waits.contains(&code);
        assert_eq!(parts.headers.contains_key(header::RETRY_AFTER), waits, "{code:?}");
        match code {
            ErrorCode::Parameter | ErrorCode::Rejected => {
                assert_eq!(json["data"]["fields"]["content_ids[2]"], "is odd")
            }
            ErrorCode::Internal => assert_eq!(json["data"]["id"].as_str().unwrap().len(), 16),
            ErrorCode::TooMany => assert_eq!(parts.headers[header::RETRY_AFTER], "7"),
            _ => assert_eq!(json["data"], Value::Null, "{code:?}"),
        }
    }
    let (parts, json) = get(&api, "/api/news/content/detail?id=1&from=bare").await;
    assert_eq!((parts.status, &json["code"]), (StatusCode::INTERNAL_SERVER_ERROR, &500.into()));
}

#[tokio::test]
async fn each_internal_error_has_a_new_id() {
    let api = api();
    let first = get(&api, "/api/news/content/detail?id=1&from=internal_error").await.1;
    let second = get(&api, "/api/news/content/detail?id=1&from=internal_error").await.1;
    assert_ne!(first["data"]["id"], second["data"]["id"]);
}

#[tokio::test]
async fn invalid_fields_have_their_public_names() {
    let api = api();
    let batch = get(&api, "/api/news/content/list-by-ids?contentIds=1").await.1;
    assert_eq!(batch["data"]["fields"]["contentIds[2]"], "is odd");
    let tab = get(&api, "/api/news/tab/content/list?tabId=1").await.1;
    assert_eq!(tab["data"]["fields"]["tabId"], "is odd");
}

#[tokio::test]
async fn unimplemented_call_is_unavailable() {
    let (parts, json) = get(&api(), "/api/news/content/info/list").await;
    assert_eq!((parts.status.as_u16(), &json["code"]), (503, &503.into()));
}

#[tokio::test(start_paused = true)]
async fn call_times_out_after_eight_seconds() {
    let api = api();
    let begun = tokio::time::Instant::now();
    let (parts, json) = get(&api, "/api/news/content/detail?id=1&from=slow").await;
    assert_eq!((parts.status.as_u16(), &json["code"]), (504, &504.into()));
    let took = begun.elapsed();
    assert!((7_500..8_500).contains(&took.as_millis()), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn body_that_never_arrives_is_408() {
    let never = futures_util::stream::pending::<Result<bytes::Bytes, std::io::Error>>();
    let request = Request::post("/api/news/tab/list")
        .header("content-type", "application/json")
        .body(Body::from_stream(never))
        .unwrap();
    let response = api().handle(request).await;
    assert_eq!(response.status(), StatusCode::REQUEST_TIMEOUT);
}
