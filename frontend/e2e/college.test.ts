import type { EducationCoursePageJson } from '../src/gen/sahm/page/v1/education_pb';
import { hydrated, open, waitForPageId } from './browser.ts';
import { address, origin } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

const LESSON = '/education/article/what-a-share-is';
const COURSE = '/education/course/first-steps-in-the-market/1?pageFrom=2';

test.use({ failsOnPageErrors: true });

test.describe('education', EACH_LOCALE, () => {
  test('links from its contents to a course, its lesson and the next lesson', async ({
    page,
    locale,
  }) => {
    await open(page, address(locale, '/education'));
    await page.locator(`main a[href="/${locale}/education/category/1"]`).first().click();
    await waitForPageId(page, 'education-category');
    await page.locator(`main a[href="/${locale}${COURSE}"]`).click();
    await waitForPageId(page, 'education-course');
    await page.locator(`main ol a[href="/${locale}${LESSON}"]`).click();
    await waitForPageId(page, 'education-article');
    const title = await page.locator('h1').textContent();
    await page.locator('main a[rel="next"]').click();
    await page.waitForFunction(
      (before) => document.querySelector('h1')?.textContent !== before,
      title,
    );
    await page.locator('main a[rel="prev"]').click();
    await page.waitForFunction(
      (before) => document.querySelector('h1')?.textContent === before,
      title,
    );
    // Read lessons are ticked, and the course continues with the next one.
    await page.locator('main nav ol a[href*="/education/course/"]').first().click();
    await waitForPageId(page, 'education-course');
    const go = page.locator('main header a[href*="/education/article/"]');
    expect(await go.getAttribute('href')).not.toBe(`/${locale}${LESSON}`);
  });

  test('lists the research centre last, as a link to the main site', async ({ page, locale }) => {
    await open(page, address(locale, '/education'));
    const link = page.locator('main section a[data-document]');
    expect(await link.count()).toBe(1);
    expect(await link.getAttribute('href')).toBe(
      `/${locale}/education/course/sahm-research-center/6?pageFrom=2`,
    );
  });
});

test.describe('a college page', () => {
  for (const [name, value] of [
    ['from', 'admin'],
    ['from', 'share'],
    ['ref', 'admin'],
    ['ref', 'share'],
  ] as const)
    test(`has no layout parts with ${name}=${value}, nor do the pages it links to`, async ({
      page,
    }) => {
      await open(page, `${address('en-us', '/education')}?${name}=${value}`);
      expect(await page.locator('[data-chrome]').count()).toBe(0);
      const link = page.locator('main a[href*="/education/category/"]').first();
      expect(await link.getAttribute('href')).toContain(`${name}=${value}`);
      await link.click();
      await waitForPageId(page, 'education-category');
      expect(await page.locator('[data-chrome]').count()).toBe(0);
    });

  test('has the layout parts with another origin', async ({ page }) => {
    await open(page, `${address('en-us', '/education')}?from=elsewhere`);
    expect(await page.locator('[data-chrome="header"]').count()).toBe(1);
  });

  test('returns 404 if the parent in the path does not contain the item', async () => {
    const answer = await fetch(address('en-us', '/education/article/what-a-share-is/2/101'));
    expect(answer.status).toBe(404);
  });
});

test.describe('a lesson', () => {
  test('counts as read', async ({ page }) => {
    const logged = page.waitForResponse('**/api/college/log/add');
    await open(page, address('en-us', LESSON));
    const { code } = (await (await logged).json()) as { code: number };
    expect(code).toBe(10_000_000);
  });

  test('is liked, stays liked after a reload, and can be unliked', async ({ page }) => {
    await open(page, address('en-us', LESSON));
    const button = page.locator('main button[aria-pressed]');
    const shown = button.locator('[data-live]');
    const added = page.waitForResponse('**/api/college/article/like/add');
    await button.click();
    const { data } = (await (await added).json()) as { data: { count: string } };
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    expect(Number(data.count)).toBeGreaterThan(0);
    await page.waitForFunction(([element, count]) => element?.textContent === count, [
      await shown.elementHandle(),
      data.count,
    ] as const);
    await page.reload();
    await hydrated(page);
    await page.waitForFunction(() => document.querySelector('main button[aria-pressed="true"]'));
    const cancelled = page.waitForResponse('**/api/college/article/like/cancel');
    await button.click();
    await cancelled;
    expect(await button.getAttribute('aria-pressed')).toBe('false');
  });
});

test.describe('a video', () => {
  /** The first course with a video. */
  async function courseWithVideo() {
    for (let id = 101; id <= 113; id += 1) {
      const answer = await fetch(`${origin()}/_data/en-us/education/course/${id}`);
      const { document } = (await answer.json()) as { document: EducationCoursePageJson };
      if (document.videos?.length) return id;
    }
    throw new Error('no course has a video');
  }

  test('plays, reports the position, and resumes from there', async ({ page }) => {
    await open(page, address('en-us', `/education/course/${await courseWithVideo()}`));
    const video = page.locator('main video').first();
    const uploaded = page.waitForRequest('**/api/college/video/view-result/upload');
    await video.evaluate(async (element: HTMLVideoElement) => {
      element.muted = true;
      await element.play();
      element.currentTime = element.duration / 2;
      await new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }));
      element.pause();
    });
    const sent = new URLSearchParams((await uploaded).postData() ?? '');
    const position = Number(sent.get('position'));
    expect(position).toBeGreaterThan(0);
    expect(Number(sent.get('duration'))).toBeGreaterThan(position);

    // The next visit resumes there and can start over.
    await page.reload();
    await hydrated(page);
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0);
    const at = await video.evaluate((element: HTMLVideoElement) => element.currentTime);
    expect(Math.abs(at - position)).toBeLessThan(1);
    await page.locator('figcaption button').first().click();
    await page.waitForFunction(() => {
      const element = document.querySelector('video');
      return element && !element.paused && element.currentTime < 3;
    });
  });

  test('has captions in both languages and shows those of the page’s language', async ({
    page,
  }) => {
    await open(page, address('ar-sa', `/education/course/${await courseWithVideo()}`));
    const tracks = await page.locator('main video track').evaluateAll((all) =>
      all.map((track) => ({
        language: (track as HTMLTrackElement).srclang,
        shown: (track as HTMLTrackElement).track.mode === 'showing',
      })),
    );
    expect(tracks.map(({ language }) => language).sort()).toEqual(['ar-SA', 'en-US']);
    expect(tracks.find(({ shown }) => shown)?.language).toBe('ar-SA');
  });
});
