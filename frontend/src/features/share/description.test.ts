import { describe, expect, it } from 'vitest';
import { shareText } from './description';

describe('shareText', () => {
  const long = 'abcdefghij'.repeat(9);
  it.each([
    ['', ''],
    ['  plain  ', 'plain'],
    ['<p>One</p><p>two &amp; three</p>', 'One two & three'],
    ['a&nbsp;b &quot;c&quot; &#39;d&#39; &lt;e&gt;', 'a b "c" \'d\' <e>'],
    ['&unknown; stays', '&unknown; stays'],
    ['<script>x</script>', 'x'],
    [long.slice(0, 80), long.slice(0, 80)],
    [long, `${long.slice(0, 80)}…`],
    ['سهم '.repeat(30), `${'سهم '.repeat(20)}…`],
    ['😀'.repeat(81), `${'😀'.repeat(80)}…`],
  ])('%s', (html, text) => expect(shareText(html)).toBe(text));
});
