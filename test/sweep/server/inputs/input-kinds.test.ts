import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { INPUT_KINDS } from '../../../../src/sweep/server/inputs/input-kinds.ts';

const page = readFileSync(
  join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'sweep-server-reference.md'),
  'utf8',
);

it('the page has a row for each kind of arguments, in the order of the table', () => {
  const rows = page.split('\n').filter((line) => /^\| `[a-z-]+` \| (?:forbidden|allowed): .* \|$/.test(line));
  const wanted = [...INPUT_KINDS.values()].map(({ name, doc, isForbidden }) => {
    const sentence = doc.replace(/\.$/, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase());
    return `| \`${name}\` | ${isForbidden ? 'forbidden' : 'allowed'}: ${sentence} |`;
  });
  expect(rows).toEqual(wanted);
});
