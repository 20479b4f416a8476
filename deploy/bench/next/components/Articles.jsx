import { isoTime, timeText } from '../../page/formats';
import { articlePath } from '../../page/links';
import { TEXTS } from '../../page/texts';
import { SiteLink } from './SiteLink';

export function Time({ epoch, className }) {
  return (
    <time className={className} dateTime={isoTime(epoch)}>
      {timeText(epoch)}
    </time>
  );
}

/** The article that stands first. */
export function Lead({ article, stacked, current }) {
  return (
    <article className={stacked ? 'lead' : 'lead lead-beside'}>
      <Picture image={article.image} eager className="lead-picture" />
      <div className="lead-text">
        <h2 className="lead-title">
          <SiteLink to={articlePath(article.id)} current={current} className="lead-link">
            {article.title}
          </SiteLink>
        </h2>
        <p className="lead-summary">{article.summary}</p>
        <Meta article={article} />
      </div>
    </article>
  );
}

/** An article in the list. */
export function Row({ article, current }) {
  return (
    <article className="row">
      <div className="row-text">
        <h2 className="row-title">
          <SiteLink to={articlePath(article.id)} current={current} className="row-link">
            {article.title}
          </SiteLink>
        </h2>
        <p className="row-summary">{article.summary}</p>
        <Meta article={article} />
      </div>
      <Picture image={article.image} className="row-picture" />
    </article>
  );
}

function Meta({ article: { market, readingMinutes = 1, sample, publishedAt = 0 } }) {
  return (
    <p className="article-meta">
      {market && <span className="article-market">{TEXTS.markets[market]}</span>}
      <span>{TEXTS.reading(readingMinutes)}</span>
      {sample && <span>{TEXTS.sample}</span>}
      <Time epoch={publishedAt} className="article-time" />
    </p>
  );
}

function Picture({ image, eager = false, className }) {
  if (!image?.path) return null;
  return (
    <span className={`picture ${className}`}>
      {/* As the site has it: the size is known and the file is a drawing. */}
      <img
        src={image.path}
        alt=""
        width={image.width}
        height={image.height}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : undefined}
        decoding="async"
      />
    </span>
  );
}
