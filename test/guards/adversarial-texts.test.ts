import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

/** Texts in which each part could begin a secret, or a search for one. */
const UNITS: readonly (readonly [what: string, unit: string])[] = [
  ['beginnings of JSON Web Tokens', '-eyJ'],
  ['halves of JSON Web Tokens', 'eyJhbGciOiJIUzI1NiJ9.'],
  ['one long word', 'x'],
  ['digits', '1'],
  ['cookies', 'Set-Cookie: a='],
  ['letters encoded at two depths', '+%2Ba%252Ba'],
  ['letters encoded at many depths', '%25'],
  ['commands', "curl -u 'a:"],
  ['names', 'password='],
  ['schemes', 'Authorization: Bearer '],
  ['keys without their end', '-----BEGIN PRIVATE KEY-----\n'],
  ['placeholders that are none', '[redacted:'],
  ['base64', 'QUJD'],
  ['hexadecimal', 'de ad '],
  ['entities', '&#x26;amp;'],
  ['colours', '\x1b[31m'],
  ['rows of a table', "'),('"],
  ['quotes', '\\"'],
  ['comparisons', '"==password!="'],
  ['Secrets of Kubernetes', 'kind: Secret\ndata:\n  a: '],
  ['documents of YAML', '---\nkind: secret\n'],
  ['names in lines of their own', 'name: token\n'],
  ['keys in prose', 'the key is '],
  ['credentials of a stage', 'password_prod_'],
];

/** What stands before them, and decides how the rest is read. */
const HEADS: readonly string[] = [
  '',
  'password=',
  'Cookie: a=b; ',
  'Authorization: ',
  "INSERT INTO users (password) VALUES ('",
  'kind: Secret\ndata:\n  a: ',
];

const LENGTH = 100_000;

/** CPU time for one text, in milliseconds. A search that takes quadratic time needs 4,000 and more, all others 250 at most. */
const CPU_MAX = 1_500;

function cpuOf(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('a text that a hostile server says is redacted in a time that grows with its length', () => {
  it.each(UNITS)('%s', (_, unit) => {
    for (const head of HEADS) {
      const text = head + unit.repeat(LENGTH / unit.length);
      for (const result of [{ content: [{ type: 'text', text }] }, { nextCursor: text }]) {
        const message = new JsonText(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
        const redactor = createRedactor({ env: {} });
        const cpu = cpuOf(() => redactor.suspicious(redactor.json(message).text));
        expect(cpu, `after ${JSON.stringify(head)}, in ${Object.keys(result)[0]}`).toBeLessThan(CPU_MAX);
      }
    }
  });
});
