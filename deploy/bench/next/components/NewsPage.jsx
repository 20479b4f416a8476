'use client';

import { moreHref } from '../../page/links';
import { headerOf } from '../../page/menu';
import { TEXTS } from '../../page/texts';
import { BackToTop, CustomerService } from './Aids';
import { Lead, Row } from './Articles';
import { Footer } from './Footer';
import { Banners, Flash, Tabs, Videos } from './Front';
import { Header } from './Header';
import { SiteLink } from './SiteLink';

/** The news list with all that stands around it; hydrated as a whole, as the site's page is. */
export function NewsPage({ document }) {
  const { frame, tabs = [], tabId, articles = [], nextCursor } = document;
  const { banners = [], flash = [], videos = [] } = document;
  const [lead, ...others] = articles;
  const current = frame.path;
  return (
    <>
      <a href="#main" className="layout-skip">
        {TEXTS.skip}
      </a>
      <Header items={headerOf(frame.chrome)} current={current} />
      <main id="main" tabIndex={-1}>
        <div className="section-inner news-page">
          <header className="news-head">
            <h1 className="news-title">{TEXTS.title}</h1>
            <p className="news-standfirst">{TEXTS.standfirst}</p>
          </header>
          <Tabs tabs={tabs} shown={tabId} current={current} />
          <Banners banners={banners} />
          <div className={flash.length > 0 ? 'news-top' : undefined}>
            {lead && <Lead article={lead} stacked={flash.length > 0} current={current} />}
            <Flash items={flash} />
          </div>
          <Videos videos={videos} />
          <div className="news-older">
            <ul>
              {others.map((article) => (
                <li key={article.id}>
                  <Row article={article} current={current} />
                </li>
              ))}
            </ul>
            {nextCursor && (
              <div className="more-end">
                <SiteLink
                  to={moreHref(current, nextCursor)}
                  current=""
                  className="button button-quiet"
                  aria-busy={false}
                >
                  {TEXTS.more}
                </SiteLink>
                <p role="status" className="visually-hidden" />
              </div>
            )}
          </div>
        </div>
      </main>
      <Footer menu={frame.chrome.menu} renderedAt={frame.renderedAt} current={current} />
      <BackToTop />
      <CustomerService contact={frame.chrome.contact ?? {}} />
    </>
  );
}
