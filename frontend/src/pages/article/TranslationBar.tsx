import { useRef, useState } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { buttonClass } from '~/ui/button';
import { Icon } from '~/ui/Icon';
import rows from '~/ui/rows.module.css';
import styles from './ArticlePage.module.css';
import type { Translation } from './useTranslation';

/** Requests a translation, and warns that a machine made it. */
export function TranslationBar({ translation }: { translation: Translation }) {
  const t = useMessages('article');
  const { loading, machine, isMissing, text, article } = translation;
  const [agreed, setAgreed] = useState<unknown>();
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <div className={`${rows.actions} ${styles.bar} screen-only`}>
      <button
        ref={toggle}
        type="button"
        className={buttonClass('quiet')}
        aria-busy={loading}
        onClick={article ? translation.showOriginal : translation.translate}
      >
        <Icon name="translate" />
        {t(article ? 'translate.original' : loading ? 'translate.busy' : 'translate')}
      </button>
      <div role="status" className={styles.said}>
        {isMissing && <p>{t('translate.none')}</p>}
        {text && <p>{text}</p>}
        {article && machine && agreed !== article && (
          <div className={`${rows.actions} ${styles.machine}`}>
            <p>{t('translate.machine')}</p>
            <button
              type="button"
              className={buttonClass('primary')}
              onClick={() => {
                toggle.current?.focus();
                setAgreed(article);
              }}
            >
              {t('translate.agree')}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}
