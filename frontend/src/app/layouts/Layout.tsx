import type { ReactNode } from 'react';
import { AppFooter } from '~/app/layouts/AppFooter';
import { BackToTop } from '~/app/layouts/BackToTop';
import { CustomerService } from '~/app/layouts/CustomerService';
import { Footer } from '~/app/layouts/Footer';
import { Header } from '~/app/layouts/header/Header';
import { useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { usePage } from '~/lib/page/page';
import styles from './Layout.module.css';
import { partsOf } from './layout-parts';

/** Renders a page in its layout. A region that fails to render is omitted. */
export function Layout({ children }: { children: ReactNode }) {
  const t = useMessages('common');
  const parts = partsOf(usePage());
  return (
    <>
      {parts.header && (
        <a href="#main" className={styles.skip}>
          {t('skip')}
        </a>
      )}
      <ErrorBoundary>{parts.header && <Header />}</ErrorBoundary>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <ErrorBoundary>
        {parts.footer && <Footer />}
        {parts.appFooter && <AppFooter />}
      </ErrorBoundary>
      <ErrorBoundary>
        {parts.backToTop && <BackToTop />}
        {parts.customerService && <CustomerService />}
      </ErrorBoundary>
    </>
  );
}
