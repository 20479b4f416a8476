import { ArticleRow } from '~/features/news/ArticleRow';
import after from '~/features/reading/after.module.css';
import type { ArticlePageJson } from '~/gen/sahm/page/v1/page_pb';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import { TriangleRow } from '~/ui/TriangleRow';

/** Related content after an article; nothing if there is none. */
export function Related({
  document: { related = [], relatedUnavailable },
  marketPath,
}: {
  document: ArticlePageJson;
  marketPath: string;
}) {
  const t = useMessages('article');
  if (related.length === 0 && !relatedUnavailable) return null;
  return (
    <section className={`${after.after} screen-only`} aria-labelledby="related">
      <TriangleRow className={after.edge} />
      <Section as="div">
        <div className={`${rows.apart} ${after.head}`}>
          <h2 id="related" className={headings.small}>
            {t('related')}
          </h2>
          <TextLink to={marketPath}>{t('back')}</TextLink>
        </div>
        {relatedUnavailable && <p>{t('related.unavailable')}</p>}
        <ul className={after.list}>
          {related.map((item) => (
            <li key={item.id}>
              <ArticleRow article={item} heading="h3" brief />
            </li>
          ))}
        </ul>
      </Section>
    </section>
  );
}
