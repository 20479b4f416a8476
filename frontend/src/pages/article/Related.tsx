import { ArticleRow } from '~/features/news/ArticleRow';
import { AfterList } from '~/features/reading/AfterList';
import after from '~/features/reading/after.module.css';
import type { ArticlePageJson } from '~/gen/sahm/page/v1/page_pb';
import { useMessages } from '~/lib/messages/messages';
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
    <div className={`${after.after} screen-only`}>
      <TriangleRow rows={2} className={after.edge} />
      <AfterList
        id="related"
        title={t('related')}
        all={{ name: t('back'), to: marketPath }}
        note={relatedUnavailable && <p>{t('related.unavailable')}</p>}
      >
        {related.map((item) => (
          <li key={item.id}>
            <ArticleRow article={item} heading="h3" layout="stacked" />
          </li>
        ))}
      </AfterList>
    </div>
  );
}
