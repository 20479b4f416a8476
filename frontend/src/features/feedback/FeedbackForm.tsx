import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { submitFeedback } from '~/gen/operations';
import { type ApiError, pathOf } from '~/lib/api';
import { COMPLAINT_BUSINESS_DAYS, supportHours } from '~/lib/company';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { LOCALES } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { upload } from '~/lib/upload';
import { buttonClass } from '~/ui/button';
import { Field } from '~/ui/form/Field';
import { SubmitButton } from '~/ui/form/SubmitButton';
import { useForm, wrongFields } from '~/ui/form/useForm';
import headings from '~/ui/headings.module.css';
import rows from '~/ui/rows.module.css';
import secondary from '~/ui/secondary.module.css';
import {
  FIELDS,
  type FieldName,
  MAX_CONTACT_LENGTH,
  MAX_CONTENT_LENGTH,
  MAX_SUBJECT_LENGTH,
  rejectedPictures,
  wrongTexts,
} from './check';
import styles from './FeedbackForm.module.css';
import { Pictures } from './Pictures';
import { type Chosen, usePictures } from './usePictures';

/**
 * Feedback and complaints with up to three pictures. Validated in the browser before it is sent;
 * the server's errors are shown next to their fields. Without scripts the browser posts the same
 * form.
 */
export function FeedbackForm() {
  const { locale } = usePage();
  const t = useMessages('feedback');
  const form = useForm();
  const pictures = usePictures();
  const [ticket, setTicket] = useState('');
  const id = useId();

  const errorsOf = (wrong: readonly FieldName[]) =>
    Object.fromEntries(wrong.map((name) => [name, t(`error.${name}`)]));

  function submit() {
    if (form.busy) {
      form.show({ form: t('notice.submitting') });
      return;
    }
    const data = new FormData(form.ref.current ?? undefined);
    const text = (name: FieldName) => String(data.get(name) ?? '');
    const texts = { subject: text('subject'), content: text('content'), contact: text('contact') };
    if (!form.show(errorsOf(wrongTexts(texts))) || pictures.hasErrors) return;
    // Texts precede files, as the call requires; the files come from the list, not from the field.
    data.delete('files');
    for (const file of pictures.files) data.append('files', file, file.name);
    const sent = pictures.chosen;
    form.run(
      async () => {
        const { ticket } = await upload(submitFeedback, data);
        setTicket(ticket);
      },
      (failure) => explain(failure, sent),
    );
  }

  function explain(failure: ApiError, sent: readonly Chosen[]) {
    const wrong = wrongFields(failure);
    const rejected = rejectedPictures(failure.data);
    pictures.reject(rejected, sent);
    const texts = FIELDS.filter((name) => wrong.has(name));
    if (texts.length > 0 || rejected.hasTooMany || rejected.errors.some(Boolean))
      return errorsOf(texts);
    return { form: failure.isTurnedOff ? failure.text : t(`notice.${noticeOf(failure)}`) };
  }

  /** The message for a failure that belongs to no field. */
  function noticeOf({ kind, code }: ApiError) {
    if (code === 429) return 'many';
    if (pictures.files.length > 0) return 'upload';
    return kind === 'timeout' ? 'timeout' : 'service';
  }

  if (ticket) {
    const again = () => {
      // The form must be rendered before it can take focus.
      flushSync(() => {
        setTicket('');
        pictures.clear();
      });
      form.ref.current?.querySelector<HTMLElement>('[name="subject"]')?.focus();
    };
    return <Received ticket={ticket} onAgain={again} />;
  }
  const field = (name: FieldName) => ({ name, error: form.errors[name] });
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
      <p className={styles.urgent}>
        {t.rich('urgent', {
          link: (
            <SiteLink to={pathTo('support-detail', { articleId: 'protect-your-account' })}>
              {t('urgent.link')}
            </SiteLink>
          ),
        })}
      </p>
      <noscript>
        <p className={styles.noscript}>{t('noscript')}</p>
      </noscript>
      <form
        ref={form.ref}
        action={pathOf(submitFeedback)}
        method="post"
        encType="multipart/form-data"
        noValidate
        className={styles.form}
        onSubmit={form.onSubmit(submit)}
      >
        <input type="hidden" name="lang" value={LOCALES[locale].tag} />
        <Field {...field('subject')} label={t('subject')} hint={t('subject.hint')}>
          {(control) => <input {...control} type="text" maxLength={MAX_SUBJECT_LENGTH} required />}
        </Field>
        <Field {...field('content')} label={t('content')} hint={t('content.hint')}>
          {(control) => <textarea {...control} rows={7} maxLength={MAX_CONTENT_LENGTH} required />}
        </Field>
        <Field {...field('contact')} label={t('contact')}>
          {(control) => (
            <input
              {...control}
              type="text"
              dir="auto"
              maxLength={MAX_CONTACT_LENGTH}
              autoComplete="email"
              required
            />
          )}
        </Field>
        <Pictures pictures={pictures} />
        <p className={secondary.text}>
          {t.rich('privacy', {
            link: (
              <SiteLink to={pathTo('terms', { id: 'privacy-policy' })} target="_blank">
                {t('privacy.link')}
              </SiteLink>
            ),
          })}
        </p>
        <div className={rows.actions}>
          <SubmitButton busy={form.busy}>{t(form.busy ? 'sending' : 'send')}</SubmitButton>
          <p role="status" className={styles.notice} data-busy={form.busy || undefined}>
            {form.errors.form}
          </p>
        </div>
      </form>
    </section>
  );
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
