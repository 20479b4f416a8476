import { clockTime } from '../../page/formats';
import { bannerPath, nameOf, tabPath } from '../../page/links';
import { TEXTS } from '../../page/texts';
import { Time } from './Articles';
import { SiteLink } from './SiteLink';

export function Tabs({ tabs, shown, current }) {
  return (
    <nav aria-label={TEXTS.tabs} className="tabs-nav">
      <ul className="tabs">
        {tabs.map((tab) => (
          <li key={tab.id}>
            <SiteLink
              to={tabPath(tab)}
              current={current}
              className="tab"
              aria-current={tab.id === shown ? 'page' : undefined}
            >
              {nameOf(tab)}
            </SiteLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function Banners({ banners }) {
  if (banners.length === 0) return null;
  return (
    <ul className="banners" aria-label={TEXTS.banners}>
      {banners.map((banner) => (
        <li key={banner.id}>
          <SiteLink to={bannerPath(banner)} current="" className="banner">
            <span className="banner-text">
              <span className="banner-title">{banner.title}</span>
              {banner.sample && <span className="banner-sample">{TEXTS.sample}</span>}
            </span>
            {banner.image?.path && (
              <img
                src={banner.image.path}
                alt=""
                width={banner.image.width}
                height={banner.image.height}
                decoding="async"
                className="banner-art"
              />
            )}
          </SiteLink>
        </li>
      ))}
    </ul>
  );
}

export function Flash({ items }) {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="news-flash" className="flash">
      <h2 id="news-flash" className="flash-title">
        {TEXTS.flash}
      </h2>
      <ol className="flash-items" tabIndex={0} aria-labelledby="news-flash">
        {items.map(({ id, content, publishedAt = 0, market, sample }) => (
          <li key={id} className="flash-item">
            <p className="flash-meta">
              {market && <span>{TEXTS.markets[market]}</span>}
              {sample && <span>{TEXTS.sample}</span>}
              <Time epoch={publishedAt} className="flash-time" />
            </p>
            <p className="flash-content">{content}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Videos({ videos }) {
  if (videos.length === 0) return null;
  return (
    <section aria-labelledby="news-videos" className="videos-section">
      <h2 id="news-videos" className="videos-title">
        {TEXTS.videos}
      </h2>
      <ul className="videos" aria-labelledby="news-videos">
        {videos.map((video) => (
          <li key={video.id} className="videos-item">
            <Video video={video} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Video({
  video: { title, titleEn, summary, summaryEn, sample, publishedAt = 0, playback },
}) {
  const { sources = [], captions = [], poster, duration } = playback ?? {};
  const name = titleEn || title;
  return (
    <article className="video">
      <video
        className="video-player"
        controls
        playsInline
        preload="none"
        poster={poster?.path}
        width={1280}
        height={720}
        aria-label={name}
      >
        {sources.map(({ address, contentType }) => (
          <source key={address} src={address} type={contentType} />
        ))}
        {captions.map(({ locale, path }) => (
          <track
            key={locale}
            kind="captions"
            src={path}
            srcLang={locale === 'ar-sa' ? 'ar-SA' : 'en-US'}
            label={locale === 'ar-sa' ? 'العربية' : 'English'}
            default={locale === 'en-us'}
          />
        ))}
      </video>
      <h3 className="video-name">{name}</h3>
      <p className="video-summary">{summaryEn || summary}</p>
      <p className="video-meta">
        {duration ? (
          <span>
            <span className="visually-hidden">{TEXTS.length} </span>
            <bdi>{clockTime(duration)}</bdi>
          </span>
        ) : null}
        {sample && <span>{TEXTS.sample}</span>}
        <Time epoch={publishedAt} />
      </p>
    </article>
  );
}
