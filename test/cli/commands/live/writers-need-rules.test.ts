import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

const CUSTOMER = 'CUST-11111-AAA';
/** A server that says a customer number to each request. */
const SERVER = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  if (id) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { text: '${CUSTOMER}' } }));
})`;
const TAPE = `format: mcp-record/1
transport: stdio
redactRules: ["customer"]
events:
- client: { jsonrpc: "2.0", id: 1, method: ask, params: {} }
- server:
    jsonrpc: "2.0"
    id: 1
    result:
      text: "number [redacted:customer:1]"
`;
const CLIENT = `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'other', params: {} })}\n`;

it.each([
  ['verify --update', ['verify', '--update', 'a.yaml'], ''],
  ['fork', ['fork', '-o', 'new.yaml', 'a.yaml:10'], CLIENT],
  ['replay --else --add', ['replay', '--else', '--add', 'a.yaml'], CLIENT],
])('%s writes nothing that a server says, without the rules that the cassette names', async (_, args, input) => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.yaml');
  writeFileSync(file, TAPE);
  const words = args.map((arg) => (arg.endsWith('.yaml') || arg.includes('.yaml:') ? join(folder, arg) : arg));
  const go = (...options: string[]) =>
    run(mcpRecord(words[0]!, ...options, ...words.slice(1), '--', 'node', '-e', SERVER), input);
  const { stderr, status } = await go();
  expect(stderr).toContain('[USAGE_RULES_MISSING]');
  expect(stderr).toContain('a rule of the name customer wrote placeholders there');
  expect(status).toBe(2);
  expect(readdirSync(folder)).toEqual(['a.yaml']);
  expect(readFileSync(file, 'utf8')).toBe(TAPE);

  const rules = join(folder, 'rules.yaml');
  writeFileSync(rules, "redact: [{ pattern: 'CUST-\\d{5}-[A-Z]{3}', name: customer }]\n");
  expect((await go('--redact-rules', rules)).stderr).not.toContain('USAGE_RULES_MISSING');
  for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(CUSTOMER);
});
