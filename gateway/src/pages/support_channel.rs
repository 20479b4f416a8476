//! `/support/channel/{id?}`

use sahm_proto::{content::v1::HelpChannel, page::v1::SupportChannelPage};

use super::{
    ItemKind, LoadContext, LoadError, PageHead, help_seo::HelpSeo, pagination::read_page,
    parameters::Name,
};
use crate::{canonical_paths::help_channel, visitor::Locale};

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
            Some(id) => Some(channel_seo(cx, id).await),
            // The id of a slug is known only from the channel.
            None => None,
        }
    };
    let (tree, response, seo) = tokio::join!(tree, channel, seo);
    let tree = tree?;
    let (response, continued) = response?;
    let channel = response.channel.ok_or_else(missing)?;
    let seo = match seo {
        Some(seo) => seo,
        None => channel_seo(cx, channel.id).await,
    };
    let (name, description) = channel_texts(&channel, cx.locale());
    let own = seo.head();
    let head = PageHead {
        title: name,
        description: if own.description.is_empty() { description } else { own.description },
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

async fn channel_seo(cx: &LoadContext<'_>, id: u64) -> HelpSeo {
    HelpSeo::load(cx, &help_channel("", id)).await
}

fn channel_texts(channel: &HelpChannel, locale: Locale) -> (&str, &str) {
    let (name, description) = match locale {
        Locale::ArSa => (&channel.name_sa, &channel.description_sa),
        Locale::EnUs => (&channel.name_en, &channel.description_en),
    };
    (if name.is_empty() { &channel.name } else { name }, description)
}
