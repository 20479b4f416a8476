import type { ReactNode } from 'react';
import { AppFooter } from '~/app/layouts/AppFooter';
import { BackToTop } from '~/app/layouts/BackToTop';
import { CustomerService } from '~/app/layouts/CustomerService';
import { Footer } from '~/app/layouts/Footer';
import { Header } from '~/app/layouts/header/Header';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { chromeOf } from './chrome';
import styles from './Layout.module.css';

/** A page inside its layout: what stands around it, and the one `main`. */
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
      {chrome.header && <Header />}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {chrome.footer && <Footer />}
      {chrome.appFooter && <AppFooter />}
      {chrome.backToTop && <BackToTop />}
      {chrome.customerService && <CustomerService />}
    </>
  );
}
