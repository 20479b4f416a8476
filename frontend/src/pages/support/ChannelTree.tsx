import { channelPath } from '~/features/help/paths';
import type { HelpChannelNodeJson } from '~/gen/sahm/content/v1/help_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import styles from './ChannelTree.module.css';
import { trailTo } from './trail';

/** All channels; the children of the current top channel are expanded. */
export function ChannelTree({ tree, shown }: { tree: HelpChannelNodeJson[]; shown: string }) {
  const t = useMessages('support');
  const open = trailTo(tree, shown)[0]?.id;
  return (
    <nav aria-labelledby="channels" className={`${styles.nav} screen-only`}>
      <h2 id="channels" className={styles.title}>
        {t('home.topics')}
      </h2>
      <ul>
        {tree.map((node) => (
          <li key={node.id}>
            <Link node={node} shown={shown} />
            {node.id === open && node.children && (
              <ul className={styles.children}>
                {node.children.map((child) => (
                  <li key={child.id}>
                    <Link node={child} shown={shown} />
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

function Link({ node: { id, channel = {} }, shown }: { node: HelpChannelNodeJson; shown: string }) {
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
