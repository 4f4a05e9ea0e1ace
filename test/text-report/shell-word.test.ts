import { expect, it } from 'vitest';
import { shellWord } from '../../src/text-report/shell-word.ts';

it.each([
  ['plain', 'plain'],
  ['--ignore', '--ignore'],
  ['/result/content/0/text', '/result/content/0/text'],
  ['two words', "'two words'"],
  ["it's", `'it'\\''s'`],
  ['$HOME', "'$HOME'"],
  ['', "''"],
])('%s is written as %s for a shell', (word, written) => {
  expect(shellWord(word)).toBe(written);
});
