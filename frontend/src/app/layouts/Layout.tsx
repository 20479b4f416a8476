import type { ReactNode } from 'react';
import { AppFooter } from '~/app/layouts/AppFooter';
import { BackToTop } from '~/app/layouts/BackToTop';
import { CustomerService } from '~/app/layouts/CustomerService';
import { Footer } from '~/app/layouts/Footer';
import { Header } from '~/app/layouts/header/Header';
import { useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { usePage } from '~/lib/page/page';
import { chromeOf } from './chrome';
import styles from './Layout.module.css';

/** Renders a page in its layout. A region that fails to render is omitted. */
export function Layout({ children }: { children: ReactNode }) {
  const t = useMessages('chrome');
  const chrome = chromeOf(usePage());
  return (
    <>
      {chrome.header && (
        <a href="#main" className={styles.skip}>
          {t('skip')}
        </a>
      )}
      <ErrorBoundary>{chrome.header && <Header />}</ErrorBoundary>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <ErrorBoundary>
        {chrome.footer && <Footer />}
        {chrome.appFooter && <AppFooter />}
      </ErrorBoundary>
      <ErrorBoundary>
        {chrome.backToTop && <BackToTop />}
        {chrome.customerService && <CustomerService />}
      </ErrorBoundary>
    </>
  );
}
