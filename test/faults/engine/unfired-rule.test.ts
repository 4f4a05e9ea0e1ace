import { expect, it } from 'vitest';
import { unfiredText } from '../../../src/faults/engine/unfired-rule.ts';
import { parseShortRule } from '../../../src/faults/rules/parse-fault-rules.ts';

const NO_TOKEN = 'the request had no access token';

it.each([
  ['latency:tools/call:delay=1', undefined, 'Rule 1 (latency) never fired.'],
  ['cut:tools/call:bytes=9', 'it is short', 'Rule 1 (cut) never fired: it is short.'],
  [
    'latency:oauth/refresh:delay=1',
    undefined,
    'Rule 1 (latency) never fired: no request oauth/refresh matched it, so that the client may not have made one.',
  ],
  [
    'oauth-error',
    undefined,
    'Rule 1 (oauth-error) never fired: no request oauth/refresh matched it, so that the client may not have made one.',
  ],
  [
    'token-refused:tools/call',
    NO_TOKEN,
    `Rule 1 (token-refused) never fired: ${NO_TOKEN}. A mock server requires tokens with --auth of replay or mock, or in a test with auth: true.`,
  ],
  [
    'insufficient-scope:tools/call:scope=a',
    NO_TOKEN,
    `Rule 1 (insufficient-scope) never fired: ${NO_TOKEN}. A mock server requires tokens with --auth of replay or mock, or in a test with auth: true.`,
  ],
])('the rule %s, whose fault changed nothing because %s, is told with the next step', (text, why, said) => {
  expect(unfiredText([parseShortRule(text, 'http')], { rule: 1, why })).toBe(said);
});
