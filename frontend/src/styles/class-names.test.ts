import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '..');

/** Classes that a module uses and its style sheets do not define: they render as `undefined`. */
function undefinedClasses(file: string): string[] {
  const source = readFileSync(join(SOURCE, file), 'utf8');
  const imports = source.matchAll(/import (\w+) from '([^']+\.module\.css)'/g);
  return [...imports].flatMap(([, name, path = '']) => {
    const sheet = path.startsWith('~') ? path.slice(2) : join(dirname(file), path);
    const css = readFileSync(join(SOURCE, sheet), 'utf8');
    const uses = source.matchAll(new RegExp(`(?<![\\w'\`./])${name}\\.(\\w+)`, 'g'));
    return [...uses]
      .filter(([, className]) => !new RegExp(`\\.${className}(?![\\w-])`).test(css))
      .map(([use]) => `${file}: ${use}`);
  });
}

test('style sheets define the classes that modules name', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE });
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(undefinedClasses)).toEqual([]);
});
