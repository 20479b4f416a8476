import type { BannerJson } from '~/gen/sahm/content/v1/images_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { useNow } from '~/ui/clock';
import { SampleMark } from '~/ui/SampleScope';
import { ScaledImage } from '~/ui/ScaledImage';
import secondary from '~/ui/secondary.module.css';
import styles from './Banners.module.css';
import { articlePath } from './paths';
import section from './section.module.css';

/** The active banners of the news pages. */
export function Banners({ banners }: { banners: readonly BannerJson[] }) {
  const t = useMessages('news');
  const now = useNow(...banners.flatMap(({ beginTime = 0, endTime = 0 }) => [beginTime, endTime]));
  const shown = banners.filter((banner) => isActive(banner, now));
  if (shown.length === 0) return null;
  return (
    <section className={`${section.part} screen-only`} aria-labelledby="news-banners">
      <h2 id="news-banners" className={section.title}>
        {t('banners')}
      </h2>
      <ul className={styles.banners}>
        {shown.map((banner) => (
          <li key={banner.id}>
            <Banner banner={banner} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Banner({ banner }: { banner: BannerJson }) {
  const { title, image, contentId, url = '' } = banner;
  const to = contentId && contentId !== '0' ? articlePath({ id: contentId }) : url;
  return (
    <SiteLink to={to} className={styles.banner}>
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        <span className={secondary.small}>
          <SampleMark item={banner} />
        </span>
      </span>
      {image?.path && <ScaledImage image={image} alt="" className={styles.art} />}
    </SiteLink>
  );
}

/** Whether a time is strictly between start and end. */
export function isActive(
  { beginTime = 0, endTime = 0 }: { beginTime?: number; endTime?: number },
  now: number,
): boolean {
  return beginTime < now && now < endTime;
}
