import { useMessages } from '~/lib/messages/messages';
import { Note } from './Note';

/** Says that a text exists in the other language only, above that text. */
export function OneLanguage() {
  const t = useMessages('chrome');
  return (
    <Note>
      <p>{t('one-language')}</p>
    </Note>
  );
}
