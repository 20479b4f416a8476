import { useMessages } from '~/lib/messages/messages';
import { Note } from './Note';

/** A note that a text exists only in the other language. */
export function OneLanguage() {
  const t = useMessages('chrome');
  return (
    <Note>
      <p>{t('one-language')}</p>
    </Note>
  );
}
