import { NuxtLink } from '#components';
import { isSiteLink } from '../../../page/links.js';

/**
 * The site's page. Its data crosses to the browser, as the site's does; its elements exist on the server only.
 */
export default defineComponent({
  setup() {
    const elements = useRequestEvent()?.context.page.elements ?? [];
    return () => elements.map(element);
  },
});

function element(node) {
  if (typeof node === 'string') return node;
  const [tag, attributes, nodes] = node;
  if (!isSiteLink(tag, attributes)) return h(tag, attributes, nodes.map(element));
  const { href, ...others } = attributes;
  return h(NuxtLink, { to: href, ...others }, () => nodes.map(element));
}
