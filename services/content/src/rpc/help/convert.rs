//! Conversion of the help centre's types to wire messages.
use sahm_proto::content::v1 as wire;

pub(super) use crate::rpc::convert::{arabic, display_text, in_locale};
use crate::{
    domain::{Entry, Text},
    rpc::{
        convert::{display_html, locale, names},
        entries::FromEntry,
    },
    store::StoredEntry,
};

pub(super) fn nodes(channels: &[Entry], parent: u64, depth: usize) -> Vec<wire::HelpChannelNode> {
    if depth == 0 {
        return Vec::new();
    }
    let is_child = |entry: &&Entry| entry.group().is_some_and(|group| group.parent == parent);
    let children = channels.iter().filter(is_child).filter_map(wire::HelpChannel::from_entry);
    children
        .map(|channel| wire::HelpChannelNode {
            id: channel.id,
            children: nodes(channels, channel.id, depth - 1),
            channel: Some(channel),
        })
        .collect()
}

impl FromEntry for wire::HelpChannel {
    fn from_entry(entry: &Entry) -> Option<Self> {
        let group = entry.group()?;
        Some(Self {
            id: entry.id,
            parent_id: group.parent,
            slug: entry.slug.clone(),
            name: group.name.en.clone(),
            name_en: group.name.en.clone(),
            name_sa: arabic(&group.name),
            description: group.description.en.clone(),
            description_en: group.description.en.clone(),
            description_sa: arabic(&group.description),
            position: group.position,
        })
    }
}

impl FromEntry for wire::HelpDocumentSummary {
    fn from_entry(entry: &Entry) -> Option<Self> {
        let text = entry.text()?;
        Some(Self {
            id: entry.id,
            slug: entry.slug.clone(),
            locale: locale(entry),
            kind: entry.kind().as_str().to_owned(),
            title: display_text(&text.title, entry),
            summary: display_text(&text.summary, entry),
            channel_id: text.parent,
            common: text.common,
            updated_at: text.updated_at,
        })
    }
}

pub(crate) fn document(
    held: &StoredEntry,
    text: &Text,
    parent_channel_id: u64,
) -> wire::HelpDocument {
    let entry = &held.entry;
    wire::HelpDocument {
        id: entry.id,
        slug: entry.slug.clone(),
        locale: locale(entry),
        kind: entry.kind().as_str().to_owned(),
        title: display_text(&text.title, entry),
        summary: display_text(&text.summary, entry),
        body_html: display_html(entry),
        channel_id: text.parent,
        parent_channel_id,
        common: text.common,
        updated_at: text.updated_at,
        effective_at: text.effective_at,
        available_locales: names(&held.available_locales),
    }
}

pub(super) fn document_ref(found: StoredEntry) -> wire::HelpDocumentRef {
    wire::HelpDocumentRef {
        id: found.entry.id,
        kind: found.entry.kind().as_str().to_owned(),
        slug: found.entry.slug,
        available_locales: names(&found.available_locales),
        updated_at: found.updated_at,
    }
}
