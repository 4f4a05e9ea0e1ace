import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/redact/redactor.ts';

const root = join(import.meta.dirname, '..', '..', '..', 'src');
/** Texts of one line, in any quotes. */
const TEXT = /(["'`])((?:\\.|(?!\1).)*)\1/g;

it('the advice of an error contains nothing that looks like a secret, since errors are printed redacted', () => {
  const { text } = createRedactor({ env: {} });
  const changed = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('redact'))
    .flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(TEXT)].map(([, , written = '']) => ({ path, written })),
    )
    .filter(({ written }) => written.includes(' ') && text(written) !== written);
  expect(changed).toEqual([]);
});
