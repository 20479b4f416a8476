import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { FooterColumns } from '~/features/footer/Footer';
import { HeaderEntries } from '~/features/header/HeaderNav';
import { SlideMenuEntries } from '~/features/header/SlideMenu';
import { menuOf, targetsOf } from '~/features/menu/menu';
import type { FrameJson } from '~/gen/sahm/page/v1/page_pb';
import { placeAmong } from '~/lib/links/paths';
import type { Locale } from '~/lib/locale';
import { PageProvider, pageOf } from '~/lib/page/page';
import type { PagePayload } from '~/lib/page/payload';
import { chromeOf } from './layouts/chrome';

type Parts = ReadonlyMap<ComponentType, string>;

interface KeptMenu {
  targets: string[];
  /** By where a page stands among them: at most two for each target, and two beside them all. */
  parts: Map<string, Parts>;
}

/** A third to more than half of a render, and the same on all pages of a place in the menu. */
const PARTS: readonly ComponentType[] = [HeaderEntries, SlideMenuEntries, FooterColumns];
const NONE: Parts = new Map();

/** Two languages, before and after a change of the menu. */
const MENUS = 4;
const menus = new Map<string, KeptMenu>();

/** What stands in the `Kept` elements of a page. They see nothing of it but what they are kept by. */
export function keptParts(payload: PagePayload): Parts {
  const page = pageOf(payload);
  const { header, footer } = chromeOf(page);
  if (!header && !footer) return NONE;
  const { locale } = page;
  const { path = '', chrome: { menu, college } = {} } = page.frame;
  const name = JSON.stringify([locale, menu, college]);
  const kept = menus.get(name) ?? {
    targets: targetsOf(menuOf({ menu, college })),
    parts: new Map(),
  };
  // Those asked for last stay.
  menus.delete(name);
  menus.set(name, kept);
  for (const oldest of menus.keys()) {
    if (menus.size <= MENUS) break;
    menus.delete(oldest);
  }
  const place = placeAmong(kept.targets, path);
  let parts = kept.parts.get(place);
  if (!parts) {
    parts = render(locale, { path: place, chrome: { menu, college } });
    kept.parts.set(place, parts);
  }
  return parts;
}

function render(locale: Locale, frame: FrameJson): Parts {
  const payload: PagePayload = {
    build: '',
    page: '',
    visitor: { locale, platform: 'pc', theme: 'auto' },
    url: '',
    document: { frame },
  };
  return new Map(
    PARTS.map((Part) => [
      Part,
      renderToString(
        <PageProvider payload={payload}>
          <Part />
        </PageProvider>,
      ),
    ]),
  );
}
