import { type ChangeEvent, type DragEvent, type MouseEvent, useId, useRef, useState } from 'react';
import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import secondary from '~/ui/secondary.module.css';
import { MAX_PICTURES } from './check';
import styles from './Pictures.module.css';
import { MAX_UPLOAD_MB, MEGABYTE, MIN_UPLOAD_KB } from './picture';
import type { Pictures as Chosen } from './usePictures';

/** Limits that the messages about pictures mention. */
const LIMITS = { count: MAX_PICTURES, least: MIN_UPLOAD_KB, most: MAX_UPLOAD_MB };

/** Chooses pictures by button or by dropping, and lists them with their errors. */
export function Pictures({ pictures }: { pictures: Chosen }) {
  const { locale } = usePage();
  const t = useMessages('feedback');
  const id = useId();
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  function onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    pictures.add([...(currentTarget.files ?? [])]);
    // Resets the field: the list below contains the files to send, and the same file can be chosen
    // again.
    currentTarget.value = '';
  }

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    pictures.add([...event.dataTransfer.files]);
  }

  /** Moves focus to the next picture's button, else to the previous one, else to the field. */
  function onRemove({ currentTarget }: MouseEvent, key: number) {
    const row = currentTarget.closest('li');
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
    (neighbour?.querySelector('button') ?? input.current)?.focus();
    pictures.remove(key);
  }

  return (
    <fieldset className={styles.pictures}>
      <legend className={styles.legend}>{t('files')}</legend>
      <p id={`${id}-hint`} className={secondary.small}>
        {t('files.hint', LIMITS)}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the input is the first */}
      <div
        className={styles.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <label className={styles.choose}>
          <Icon name="arrow-up" />
          {t('files.choose')}
          <input
            ref={input}
            type="file"
            name="files"
            multiple
            accept=".jpg,.jpeg,.png,.bmp,image/jpeg,image/png,image/bmp"
            className={styles.input}
            aria-invalid={pictures.hasErrors || undefined}
            aria-describedby={`${id}-hint ${id}-error`}
            onChange={onChange}
          />
        </label>
        <span className={styles.or}>{t('files.drop')}</span>
      </div>
      <div id={`${id}-error`} aria-live="polite">
        {pictures.hasTooMany && <p className={styles.error}>{t('error.file.many', LIMITS)}</p>}
        {pictures.chosen.length > 0 && (
          <ul className={styles.list}>
            {pictures.chosen.map(({ key, file, error }) => (
              <li key={key} className={styles.file}>
                <p className={styles.name}>
                  <bdi>{file.name}</bdi>
                  <span className={styles.size}>
                    {t('files.size', {
                      size: formatNumber(locale, file.size / MEGABYTE, {
                        minimumFractionDigits: 1,
                        maximumFractionDigits: 1,
                      }),
                    })}
                  </span>
                </p>
                {error && <p className={styles.error}>{t(`error.file.${error}`, LIMITS)}</p>}
                <button
                  type="button"
                  className={styles.remove}
                  onClick={(event) => onRemove(event, key)}
                >
                  <Icon name="close" />
                  <span className="visually-hidden">{t('files.remove', { name: file.name })}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </fieldset>
  );
}
