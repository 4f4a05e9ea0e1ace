import { expect, it } from 'vitest';
import { misreadUtf8 } from '../../src/convert/from/misread-utf8.ts';

it.each([
  ['â€“', '–'],
  ['â€œquotedâ€\x9d', '“quoted”'],
  ['ðŸŽ‰', '🎉'],
  ['æ—¥æœ¬', '日本'],
  ['naÃ¯ve', 'naïve'],
  ['', ''],
])('%j was %j', (text, was) => {
  expect(misreadUtf8(text)).toBe(was);
});

it.each(['plain', 'naïve café', '“quoted” – and 日本', '\u00e2 \u0101'])('%j is what it was', (text) => {
  expect(misreadUtf8(text)).toBe(text);
});
