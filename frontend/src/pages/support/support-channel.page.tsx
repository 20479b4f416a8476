import { DocumentRows } from '~/features/help/DocumentRows';
import { channelPath, documentPath, FEEDBACK_PATH, firstHref } from '~/features/help/paths';
import { SearchBox } from '~/features/help/SearchBox';
import type { HelpChannelJson, HelpChannelNodeJson } from '~/gen/sahm/content/v1/help_pb';
import type { SupportChannelPageJson } from '~/gen/sahm/page/v1/support_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { usePage } from '~/lib/page/page';
import { Breadcrumb } from '~/ui/Breadcrumb';
import { buttonClass } from '~/ui/button';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import links from '~/ui/links.module.css';
import { moreHref } from '~/ui/pagination/cursor-page';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import styles from './SupportChannelPage.module.css';
import { trailTo } from './trail';

/** `/support/channel/{id?}`: a channel, with all channels beside it. */
function SupportChannelPage({ document }: { document: SupportChannelPageJson }) {
  const { url } = usePage();
  const t = useMessages('support');
  const {
    tree = [],
    channel = {},
    channels = [],
    documents = [],
    nextCursor,
    continued = false,
  } = document;
  const rows = documents.map((item) => ({
    id: item.id ?? '',
    to: documentPath(item),
    title: item.title,
    text: item.summary,
  }));
  return (
    <Section as="div" className={styles.page}>
      <div className={styles.top}>
        <Breadcrumb label={t('breadcrumb')} steps={stepsTo(t('title'), tree, channel)} />
        <SearchBox />
      </div>
      <div className={styles.main}>
        <header>
          <h1 className={headings.medium}>{channel.name}</h1>
          <p className={styles.description}>{channel.description}</p>
        </header>
        {channels.length > 0 && !continued && (
          <ul className={styles.channels} aria-label={t('channel.parts')}>
            {channels.map((part) => (
              <li key={part.id} className={styles.part}>
                <SiteLink
                  to={channelPath(part)}
                  className={`${links.stretched} ${styles.partLink}`}
                >
                  {part.name}
                </SiteLink>
                <p>{part.description}</p>
              </li>
            ))}
          </ul>
        )}
        {continued && (
          <SiteLink to={firstHref(url)} className={links.text}>
            {t('channel.first')}
          </SiteLink>
        )}
        {rows.length > 0 ? (
          <DocumentRows rows={rows} heading="h2" />
        ) : (
          <EmptyState title={t('empty')}>
            <p>{t('empty.hint')}</p>
            <TextLink to={FEEDBACK_PATH}>{t('contact.feedback')}</TextLink>
          </EmptyState>
        )}
        {nextCursor && (
          <p className={styles.more}>
            <SiteLink to={moreHref(url, nextCursor)} className={buttonClass('quiet')}>
              {t('channel.more')}
            </SiteLink>
          </p>
        )}
      </div>
      <ChannelTree tree={tree} shown={channel.id ?? ''} />
    </Section>
  );
}

/** The breadcrumb of a channel; only the channel if the tree does not contain it. */
function stepsTo(home: string, tree: HelpChannelNodeJson[], channel: HelpChannelJson) {
  const trail = trailTo(tree, channel.id ?? '').map((node) => node.channel ?? {});
  const above = trail.slice(0, -1).map((step) => ({
    name: step.name ?? '',
    to: channelPath(step),
  }));
  return [{ name: home, to: pathTo('support') }, ...above, { name: channel.name ?? '' }];
}

/** All channels; the children of the current top channel are expanded. */
function ChannelTree({ tree, shown }: { tree: HelpChannelNodeJson[]; shown: string }) {
  const t = useMessages('support');
  const open = trailTo(tree, shown)[0]?.id;
  return (
    <nav aria-labelledby="channels" className={`${styles.tree} screen-only`}>
      <h2 id="channels" className={styles.treeTitle}>
        {t('home.topics')}
      </h2>
      <ul>
        {tree.map((node) => (
          <li key={node.id}>
            <ChannelLink node={node} shown={shown} />
            {node.id === open && node.children && (
              <ul className={styles.children}>
                {node.children.map((child) => (
                  <li key={child.id}>
                    <ChannelLink node={child} shown={shown} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ChannelLink({
  node: { id, channel = {} },
  shown,
}: {
  node: HelpChannelNodeJson;
  shown: string;
}) {
  return (
    <SiteLink
      to={channelPath(channel)}
      className={styles.link}
      aria-current={id === shown ? 'page' : undefined}
    >
      {channel.name}
    </SiteLink>
  );
}

export default definePage({ Component: SupportChannelPage, messages: ['support'] });
