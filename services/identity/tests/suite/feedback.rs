//! Feedback with files.
use std::time::Duration;

use sahm_chassis::{
    Error, ErrorCode,
    caller::Caller,
    clock::Clock,
    member_data::{Erasure, MemberDataStore},
    store::Engine,
};
use sahm_identity::{
    domain::{Feedback, FeedbackFile, FeedbackHead as Head, PictureKind, Ticket},
    store::{IdentityMemberData, IdentityStore},
};
use sahm_proto::identity::v1::{
    BatchGetFeedbackRequest, FeedbackHead, FileHead, GetFeedbackFileRequest, GetFeedbackRequest,
    ListFeedbackRequest, SubmitFeedbackRequest, SubmitFeedbackResponse,
    submit_feedback_request::Part,
};
use sea_orm::ConnectionTrait;
use tokio::{
    sync::mpsc,
    task::{JoinHandle, JoinSet},
};
use tokio_stream::{StreamExt, wrappers::ReceiverStream};

use crate::{
    on_both,
    support::{NOW, Site, acting, field, from, got},
};

on_both!(
    feedback_is_stored_completely,
    feedback_of_an_erased_member_is_rejected,
    files_are_validated_by_their_content,
    parts_in_wrong_order_are_rejected,
    slow_uploads_of_one_address_leave_room_for_others,
    rejected_form_spends_its_budget,
    chunk_beyond_the_message_limit_is_too_large,
    sweep_deletes_feedback_beyond_its_retention_with_its_files,
    failed_sweep_deletes_no_file_without_its_feedback
);

/// A bitmap of this size, whose content depends on the position.
fn bmp(size: usize) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    bytes.extend(u32::try_from(size).unwrap().to_le_bytes());
    bytes.extend([0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0]);
    bytes.extend((bytes.len()..size).map(|position| (position / 1000) as u8));
    bytes
}

fn head() -> Part {
    Part::Head(FeedbackHead {
        subject: "Order".into(),
        content: "نص الشكوى".into(),
        contact: "a@b.co".into(),
    })
}

fn file(bytes: &[u8]) -> Vec<Part> {
    let head = FileHead { name: "../../a.png".into(), content_type: "image/png".into() };
    // Two of these chunks fit into a block, a third does not.
    let chunks = bytes.chunks(30_000).map(|chunk| Part::Chunk(chunk.to_vec()));
    std::iter::once(Part::File(head)).chain(chunks).collect()
}

async fn submit(site: &Site, parts: Vec<Part>) -> Result<SubmitFeedbackResponse, Error> {
    let parts = parts.into_iter().map(|part| SubmitFeedbackRequest { part: Some(part) });
    got(site.feedback().submit_feedback(tokio_stream::iter(parts.collect::<Vec<_>>())).await)
}

async fn feedback_is_stored_completely(site: Site) {
    let plain = submit(&site, vec![head()]).await.unwrap();
    assert_eq!((&plain.id, plain.ticket.len()), (&plain.ticket, 18));

    let bytes = bmp(600_000);
    let mut parts = vec![head()];
    for _ in 0..3 {
        parts.extend(file(&bytes));
    }
    let (_, caller) = site.member("512345678").await;
    let ticket = acting(&caller, submit(&site, parts)).await.unwrap().ticket;
    let request = GetFeedbackRequest { ticket: ticket.clone() };
    let stored = got(site.feedback().get_feedback(request).await).unwrap().feedback.unwrap();
    assert_eq!((stored.member, stored.files.len()), (caller.member, 3));
    assert_eq!((stored.subject.as_str(), stored.content.as_str()), ("Order", "نص الشكوى"));
    assert_eq!(stored.files[0].name, "a.png");
    assert_eq!(
        (stored.files[2].content_type.as_str(), stored.files[2].size),
        ("image/bmp", 600_000)
    );
    let request = GetFeedbackFileRequest { ticket: ticket.clone(), position: 2 };
    assert!(got(site.feedback().get_feedback_file(request).await).unwrap().body == bytes);
    let request = GetFeedbackFileRequest { ticket: ticket.clone(), position: 3 };
    let error = got(site.feedback().get_feedback_file(request).await).unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);

    let list = async |after_number, cursor| {
        let request = ListFeedbackRequest { size: 1, after_number, cursor };
        let page = got(site.feedback().list_feedback(request).await).unwrap();
        (page.items, page.next_cursor)
    };
    let (first, next) = list(0, String::new()).await;
    assert_eq!(first[0].ticket, plain.ticket);
    let (second, end) = list(0, next).await;
    assert_eq!((&second[0].ticket, end.as_str()), (&ticket, ""));
    assert_eq!(list(first[0].number, String::new()).await.0, second);

    let batch = async |tickets: Vec<String>| {
        let request = BatchGetFeedbackRequest { tickets };
        got(site.feedback().batch_get_feedback(request).await).map(|found| found.items)
    };
    let none = "FB-261121-00000000".to_owned();
    let many = vec![ticket.clone(), none, "x".into(), plain.ticket.clone(), ticket.clone()];
    assert_eq!(batch(many).await.unwrap(), [stored, first[0].clone()]);
    for tickets in [Vec::new(), vec![ticket; 101]] {
        assert_eq!(field(&batch(tickets).await.unwrap_err()), "tickets");
    }
}

/// The member may be erased between the first part of an upload and its end.
async fn feedback_of_an_erased_member_is_rejected(site: Site) {
    let (_, caller) = site.member("512345678").await;
    let store = IdentityStore::open(&site.database()).await.unwrap();
    let data = IdentityMemberData { store: store.clone(), clock: Clock::fixed(NOW) };
    let member = caller.member.unwrap();
    let erasure = Erasure { member, reason: "R-1".into(), caller: None, operator: None };
    let (parts, upload) = mpsc::channel(8);
    let send = async |part| parts.send(SubmitFeedbackRequest { part: Some(part) }).await.unwrap();
    send(head()).await;
    let (mut feedback, upload) = (site.feedback(), ReceiverStream::new(upload));
    let submitted =
        tokio::spawn(async move { got(acting(&caller, feedback.submit_feedback(upload)).await) });
    data.erase_member(&erasure).await.unwrap();
    for part in file(&bmp(600_000)) {
        send(part).await;
    }
    drop(parts);
    assert_eq!(submitted.await.unwrap().unwrap_err().code(), ErrorCode::SessionExpired);
    assert_eq!(store.list_feedback(0, 10).await.unwrap(), []);
}

/// An upload whose client stops after these parts, and its outcome.
fn stalled(site: &Site, caller: &Caller, parts: Vec<Part>) -> JoinHandle<Result<(), Error>> {
    let parts = parts.into_iter().map(|part| SubmitFeedbackRequest { part: Some(part) });
    let stream = tokio_stream::iter(parts.collect::<Vec<_>>()).chain(tokio_stream::pending());
    let (mut feedback, caller) = (site.feedback(), caller.clone());
    tokio::spawn(
        async move { got(acting(&caller, feedback.submit_feedback(stream)).await).map(|_| ()) },
    )
}

async fn slow_uploads_of_one_address_leave_room_for_others(site: Site) {
    let (slow, other) = (from("192.0.2.1"), from("192.0.2.2"));
    let started = || Part::File(FileHead::default());
    let uploads: Vec<_> = (0..7)
        .map(|_| stalled(&site, &slow, vec![head(), started(), Part::Chunk(vec![1])]))
        .collect();
    // Three files of 5 MB each: the address reaches its share within the third form.
    let whole = (0..3).flat_map(|_| file(&bmp(5 << 20)));
    let whole: Vec<_> = std::iter::once(head()).chain(whole).collect();
    let mut large = JoinSet::new();
    for _ in 0..3 {
        let form = stalled(&site, &slow, whole.clone());
        large.spawn(async move { form.await.unwrap() });
    }
    let in_time = Duration::from_secs(8);
    let refused = tokio::time::timeout(in_time, large.join_next()).await.expect("not refused");
    assert_eq!(refused.unwrap().unwrap().unwrap_err().code(), ErrorCode::TooMany);
    let submitted = acting(&other, submit(&site, whole));
    tokio::time::timeout(in_time, submitted).await.expect("blocked").unwrap();
    uploads.iter().for_each(JoinHandle::abort);
}

async fn rejected_form_spends_its_budget(site: Site) {
    let here = from("192.0.2.1");
    for _ in 0..20 {
        let parts = [vec![head()], file(b"no picture")].concat();
        let error = acting(&here, submit(&site, parts)).await.unwrap_err();
        assert_eq!(field(&error), "files[0]");
    }
    // Rejected before its file is read.
    let parts = [vec![head()], file(b"no picture")].concat();
    let error = acting(&here, submit(&site, parts)).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooMany);
    acting(&from("192.0.2.2"), submit(&site, vec![head()])).await.unwrap();
}

async fn files_are_validated_by_their_content(site: Site) {
    let fits = bmp(600_000);
    for (files, named) in [
        (vec![fits.clone(), b"<html>".repeat(100_000)], "files[1]"),
        (vec![bmp(400_000)], "files[0]"),
        (vec![bmp((5 << 20) + 1)], "files[0]"),
        (vec![Vec::new()], "files[0]"),
        (vec![fits.clone(), fits.clone(), fits.clone(), fits], "files"),
    ] {
        let parts = std::iter::once(head()).chain(files.iter().flat_map(|bytes| file(bytes)));
        let error = submit(&site, parts.collect()).await.unwrap_err();
        assert_eq!((error.code(), field(&error)), (ErrorCode::Parameter, named));
    }
    let list = got(site.feedback().list_feedback(ListFeedbackRequest::default()).await).unwrap();
    assert!(list.items.is_empty());
}

async fn parts_in_wrong_order_are_rejected(site: Site) {
    for (parts, named) in [
        (vec![], "head"),
        (vec![Part::Chunk(vec![1])], "files"),
        (file(&bmp(600_000)), "head"),
        (vec![head(), head()], "head"),
        (vec![head(), Part::Chunk(vec![1])], "files"),
        (vec![Part::Head(FeedbackHead::default())], "subject"),
    ] {
        let error = submit(&site, parts).await.unwrap_err();
        assert_eq!(field(&error), named);
    }
    let here = from("192.0.2.1");
    let mut head_last = file(&bmp(600_000));
    head_last.push(head());
    acting(&here, submit(&site, head_last)).await.unwrap();
    for _ in 0..19 {
        acting(&here, submit(&site, vec![head()])).await.unwrap();
    }
    let error = acting(&here, submit(&site, vec![head()])).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooMany);
}

async fn chunk_beyond_the_message_limit_is_too_large(site: Site) {
    let chunk = Part::Chunk(bmp(5_000_000));
    let mut parts = vec![head()];
    parts.extend(file(&[]));
    parts.push(chunk);
    assert_eq!(submit(&site, parts).await.unwrap_err().code(), ErrorCode::TooLarge);
}

const DAY: Duration = Duration::from_secs(86_400);

/// Stores feedback with one file, received at `created_at`.
async fn taken(store: &IdentityStore, number: u64, created_at: u32) -> Ticket {
    let ticket = Ticket::new(created_at, number);
    let head = Head::parse("Order", "Content", "a@b.co").unwrap();
    let file = FeedbackFile { name: "a.bmp".into(), kind: PictureKind::Bmp, bytes: bmp(1_000) };
    let feedback =
        Feedback { ticket: ticket.clone(), head, member: None, created_at, files: vec![file] };
    store.add_feedback(feedback).await.unwrap();
    ticket
}

/// Whether feedback is stored, and whether its file is.
async fn stored(store: &IdentityStore, ticket: &Ticket) -> (bool, bool) {
    let feedback = store.feedback(ticket).await.unwrap();
    let file = store.feedback_file(ticket, 0).await.unwrap();
    (feedback.is_some(), file.is_some())
}

async fn sweep_deletes_feedback_beyond_its_retention_with_its_files(site: Site) {
    let store = IdentityStore::open(&site.database()).await.unwrap();
    let dead = taken(&store, 1, NOW - 2 * 86_400).await;
    let live = taken(&store, 2, NOW - 2 * 86_400 + 1).await;
    assert_eq!(store.sweep(NOW, 3 * DAY).await.unwrap(), 0);
    assert_eq!(store.sweep(NOW, 2 * DAY).await.unwrap(), 1);
    assert_eq!(stored(&store, &dead).await, (false, false));
    assert_eq!(stored(&store, &live).await, (true, true));
    let request = ListFeedbackRequest::default();
    let left = got(site.feedback().list_feedback(request).await).unwrap().items;
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].ticket.as_str(), left[0].files.len()), (live.as_str(), 1));
}

async fn failed_sweep_deletes_no_file_without_its_feedback(site: Site) {
    let store = IdentityStore::open(&site.database()).await.unwrap();
    let mut tickets = Vec::new();
    // More than one batch.
    for number in 0..50 {
        let created_at = NOW - 2 * 86_400 + number;
        tickets.push(taken(&store, number.into(), created_at).await);
    }
    let run = async |sql: &str| {
        store.inner().write(async |tx| Ok(tx.execute_unprepared(sql).await?)).await.unwrap();
    };
    let last = tickets[49].as_str();
    // Fails in the last batch, after its files were deleted.
    let drop_trigger = match store.inner().engine() {
        Engine::Sqlite => {
            run(&format!(
                "CREATE TRIGGER kept BEFORE DELETE ON feedback WHEN OLD.ticket = '{last}' \
                 BEGIN SELECT RAISE(ABORT, 'kept'); END"
            ))
            .await;
            "DROP TRIGGER kept"
        }
        Engine::Postgres => {
            run("CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN RAISE EXCEPTION 'kept'; END $$")
            .await;
            run(&format!(
                "CREATE TRIGGER kept BEFORE DELETE ON feedback FOR EACH ROW \
                 WHEN (OLD.ticket = '{last}') EXECUTE FUNCTION keep()"
            ))
            .await;
            "DROP TRIGGER kept ON feedback"
        }
    };
    store.sweep(NOW, DAY).await.unwrap_err();
    for (number, ticket) in tickets.iter().enumerate() {
        let is_left = number >= 40;
        assert_eq!(stored(&store, ticket).await, (is_left, is_left), "{number}");
    }
    run(drop_trigger).await;
    assert_eq!(store.sweep(NOW, DAY).await.unwrap(), 10);
    for ticket in &tickets {
        assert_eq!(stored(&store, ticket).await, (false, false));
    }
}
