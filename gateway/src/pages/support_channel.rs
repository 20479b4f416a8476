//! `/support/channel/{id?}`

use sahm_proto::{Localize, page::v1::SupportChannelPage};

use super::{ItemKind, LoadContext, LoadError, PageHead, pagination::read_page, parameters::Name};
use crate::canonical_paths::help_channel;

const PAGE_SIZE: u32 = 20;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<SupportChannelPage, LoadError> {
    let missing = || LoadError::Missing(ItemKind::Channel);
    // Without a name in the path, the tree determines which channel is shown.
    let (tree, name) = match cx.name("id")? {
        Some(name) => (None, name),
        None => {
            let tree = cx.channel_tree().await?;
            let name = Name::Id(tree.first().ok_or_else(missing)?.id);
            (Some(tree), name)
        }
    };
    let tree = async {
        match tree {
            Some(tree) => Ok(tree),
            None => cx.channel_tree().await,
        }
    };
    let cursor = cx.request.query.cursor.as_deref();
    let channel = read_page(cursor, |cursor| cx.channel(&name, PAGE_SIZE, cursor));
    let seo = async {
        match name.id() {
            Some(id) => Some(cx.help_seo(&help_channel("", id)).await),
            // The id of a slug is known only from the channel.
            None => None,
        }
    };
    let (tree, response, seo) = tokio::join!(tree, channel, seo);
    let tree = tree?;
    let (response, continued) = response?;
    let mut channel = response.channel.ok_or_else(missing)?;
    channel.localize(cx.locale());
    let seo = match seo {
        Some(seo) => seo,
        None => cx.help_seo(&help_channel("", channel.id)).await,
    };
    let own = PageHead::from(&seo);
    let head = PageHead {
        title: &channel.name,
        description: match own.description {
            "" => &channel.description,
            description => description,
        },
        path: Some(help_channel(&channel.slug, channel.id)),
        noindex: cursor.is_some(),
        ..own
    };
    Ok(SupportChannelPage {
        frame: cx.frame(head),
        tree,
        channel: Some(channel),
        channels: response.channels,
        documents: response.documents,
        next_cursor: response.next_cursor,
        continued,
    })
}
