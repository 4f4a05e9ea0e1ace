import { expect, it } from 'vitest';
import { isEarlierCut } from '../../../src/edit/cut/is-earlier-cut.ts';

const WHOLE = `format: mcp-record/1
events:
- client: { id: 0, method: initialize }
- client:
    id: 1
  after: 0.5
- client: { id: 2 }
`;

it.each([
  ['the same', WHOLE, true],
  [
    'a part, with another delay',
    WHOLE.replace('- client: { id: 0, method: initialize }\n', '').replace('0.5', '1'),
    true,
  ],
  ['a part with other line ends', WHOLE.replaceAll('\n', '\r\n'), true],
  ['an edited part', WHOLE.replace('id: 2', 'id: 3'), false],
  ['a part with a comment', `${WHOLE}# mine\n`, false],
  ['another order', WHOLE.replace(/(- client: \{ id: 0.*\n)([\s\S]*)/, '$2$1'), false],
  ['more than the whole', `${WHOLE}- client: { id: 2 }\n`, false],
  ['an empty file', '', false],
])('knows an earlier cut: %s', (_, text, expected) => {
  expect(isEarlierCut(text, WHOLE)).toBe(expected);
});
