'use client';

import Link from 'next/link';
import { createElement, Fragment } from 'react';
import { isSiteLink } from '../../page/links';

/**
 * The site's page. Its data crosses to the browser, as the site's does; its elements exist on the server only.
 */
export function SitePage() {
  return createElement(Fragment, null, ...(globalThis.siteElements ?? []).map(element));
}

function element(node) {
  if (typeof node === 'string') return node;
  const [tag, attributes, nodes] = node;
  return createElement(
    isSiteLink(tag, attributes) ? Link : tag,
    reactAttributes(attributes),
    ...nodes.map(element),
  );
}

const known = new WeakMap();

/** Attributes under React's names, converted once for each element. */
function reactAttributes(attributes) {
  let named = known.get(attributes);
  if (!named) {
    const { class: className, style, ...others } = attributes;
    named = className === undefined ? others : { className, ...others };
    if (style) named.style = styleOf(style);
    known.set(attributes, named);
  }
  return named;
}

function styleOf(text) {
  const pairs = text.split(';').filter(Boolean).map((pair) => pair.split(/:(.*)/s, 2));
  return Object.fromEntries(pairs.map(([name, value]) => [name.trim(), value.trim()]));
}
