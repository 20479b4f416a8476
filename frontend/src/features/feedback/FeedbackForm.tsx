import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from '~/lib/api';
import { COMPLAINT_BUSINESS_DAYS, supportHours } from '~/lib/company';
import { LOCALES } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { Field } from '~/ui/form/Field';
import headings from '~/ui/headings.module.css';
import rows from '~/ui/rows.module.css';
import {
  CONTACT_LENGTH,
  CONTENT_LENGTH,
  type FeedbackTexts,
  type FieldErrors,
  SUBJECT_LENGTH,
  serverErrors,
  validate,
} from './check';
import styles from './FeedbackForm.module.css';
import { Pictures } from './Pictures';
import { FEEDBACK_ACTION, submitFeedback } from './submit';
import { usePictures } from './usePictures';

const FIELDS = ['subject', 'content', 'contact'] as const;

/** The message below the form. */
type Notice = 'submitting' | 'upload' | 'service' | 'timeout' | 'many';

/**
 * Feedback and complaints with up to three pictures. Validated in the browser before it is sent;
 * the server's errors are shown next to their fields. Without scripts the browser posts the same
 * form.
 */
export function FeedbackForm() {
  const { locale } = usePage();
  const t = useMessages('feedback');
  const form = useRef<HTMLFormElement>(null);
  const pictures = usePictures();
  const { chosen } = pictures;
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<Notice>();
  const [turnedOff, setTurnedOff] = useState('');
  const [sending, setSending] = useState(false);
  const [ticket, setTicket] = useState('');
  const id = useId();

  // The server's errors about files refer to the previous list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is what it depends on
  useEffect(() => setErrors(withoutFiles), [chosen]);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending) {
      setNotice('submitting');
      return;
    }
    setNotice(undefined);
    const texts = textsOf(event.currentTarget);
    const wrong = validate(texts);
    const found = { ...wrong, ...pictures.errors };
    setErrors(wrong);
    if (Object.keys(found).length > 0) {
      focusFirst(found);
      return;
    }
    setSending(true);
    try {
      setTicket(await submitFeedback(locale, texts, pictures.files));
    } catch (error) {
      failed(error);
    } finally {
      setSending(false);
    }
  }

  function failed(error: unknown) {
    const failure = error instanceof ApiError ? error : new ApiError('service');
    const theirs = serverErrors(failure.data);
    setErrors(theirs);
    if (Object.keys(theirs).length > 0) focusFirst(theirs);
    else {
      setNotice(noticeOf(failure, pictures.files.length > 0));
      setTurnedOff(failure.isTurnedOff ? failure.text : '');
    }
  }

  function focusFirst(found: FieldErrors) {
    const name = FIELDS.find((field) => found[field]) ?? 'files';
    form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  }

  if (ticket) {
    const again = () => {
      // The form must be rendered before it can take focus.
      flushSync(() => {
        setTicket('');
        pictures.clear();
      });
      form.current?.querySelector<HTMLElement>('[name="subject"]')?.focus();
    };
    return <Received ticket={ticket} onAgain={again} />;
  }
  const field = (name: (typeof FIELDS)[number]) => ({
    name,
    error: errors[name] && t(`error.${name}`),
  });
  return (
    <section
      id="feedback"
      aria-labelledby={`${id}-title`}
      className={`${styles.panel} screen-only`}
    >
      <h2 id={`${id}-title`} className={`${headings.small} ${styles.title}`}>
        {t('title')}
      </h2>
      <p className={styles.promise}>
        {t('promise', { days: COMPLAINT_BUSINESS_DAYS, ...supportHours(locale) })}
      </p>
      <noscript>
        <p className={styles.noscript}>{t('noscript')}</p>
      </noscript>
      <form
        ref={form}
        action={FEEDBACK_ACTION}
        method="post"
        encType="multipart/form-data"
        noValidate
        className={styles.form}
        onSubmit={onSubmit}
      >
        <input type="hidden" name="lang" value={LOCALES[locale].tag} />
        <Field {...field('subject')} label={t('subject')}>
          {(control) => <input {...control} type="text" maxLength={SUBJECT_LENGTH} required />}
        </Field>
        <Field {...field('content')} label={t('content')} hint={t('content.hint')}>
          {(control) => <textarea {...control} rows={7} maxLength={CONTENT_LENGTH} required />}
        </Field>
        <Field {...field('contact')} label={t('contact')} hint={t('contact.hint')}>
          {(control) => (
            <input
              {...control}
              type="text"
              dir="auto"
              maxLength={CONTACT_LENGTH}
              autoComplete="email"
              required
            />
          )}
        </Field>
        <Pictures pictures={pictures} errors={{ ...errors, ...pictures.errors }} />
        <div className={rows.actions}>
          <button
            type="submit"
            className={buttonClass('primary', 'large')}
            aria-busy={sending || undefined}
          >
            {t(sending ? 'sending' : 'send')}
          </button>
          <p role="status" className={styles.notice} data-kind={notice}>
            {notice && ((notice !== 'submitting' && turnedOff) || t(`notice.${notice}`))}
          </p>
        </div>
      </form>
    </section>
  );
}

function withoutFiles(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !name.startsWith('files')));
}

/** The message for a failure that belongs to no field. */
function noticeOf({ kind, code }: ApiError, withFiles: boolean): Notice {
  if (code === 429) return 'many';
  if (withFiles) return 'upload';
  return kind === 'timeout' ? 'timeout' : 'service';
}

function textsOf(form: HTMLFormElement): FeedbackTexts {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '');
  return { subject: text('subject'), content: text('content'), contact: text('contact') };
}

function Received({ ticket, onAgain }: { ticket: string; onAgain(): void }) {
  const t = useMessages('feedback');
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section id="feedback" aria-labelledby="received" className={`${styles.panel} screen-only`}>
      <h2 id="received" ref={title} tabIndex={-1} className={`${headings.small} ${styles.title}`}>
        {t('received')}
      </h2>
      <p>{t('received.ticket')}</p>
      <p className={styles.ticket}>
        <bdi dir="ltr">{ticket}</bdi>
      </p>
      <p className={styles.promise}>{t('received.next', { days: COMPLAINT_BUSINESS_DAYS })}</p>
      <button type="button" className={buttonClass('quiet')} onClick={onAgain}>
        {t('received.again')}
      </button>
    </section>
  );
}
