import type { ReactNode } from 'react';
import { BackToTop } from '~/app/layouts/BackToTop';
import { CustomerService } from '~/app/layouts/CustomerService';
import { AppFooter, Footer } from '~/app/layouts/Footer';
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
      {parts.includes('header') && (
        <a href="#main" className={styles.skip}>
          {t('skip')}
        </a>
      )}
      <ErrorBoundary>{parts.includes('header') && <Header />}</ErrorBoundary>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <ErrorBoundary>
        {parts.includes('footer') && <Footer />}
        {parts.includes('appFooter') && <AppFooter />}
      </ErrorBoundary>
      <ErrorBoundary>
        {parts.includes('backToTop') && <BackToTop />}
        {parts.includes('customerService') && <CustomerService />}
      </ErrorBoundary>
    </>
  );
}
