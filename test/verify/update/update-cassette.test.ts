import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { rulesForSecrets } from '../../../src/redact/rules/rules-for-secrets.ts';
import { sentCredentials } from '../../../src/redact/sent-credential-placeholders.ts';
import { restoreCassetteSecrets } from '../../../src/replay/prepare/restore-cassette-secrets.ts';
import { compareSession } from '../../../src/verify/compare/compare-session.ts';
import { liveRedaction } from '../../../src/verify/compare/equal-placeholders.ts';
import { recordedNames } from '../../../src/verify/update/recorded-placeholders.ts';
import { updateCassette } from '../../../src/verify/update/update-cassette.ts';
import { exits, notification, result } from '../../support/conversation.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { type Edit, live } from '../live.ts';

const TAPE = `format: mcp-record/1
transport: stdio
events:
# The first call.
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: a } }
- server:
    jsonrpc: "2.0"
    method: notifications/message
    params:
      data: begun
- server:
    jsonrpc: "2.0"
    id: 1
    result:
      text: one
      taskId: task-1
      createdAt: yesterday
  after: 400
# The second.
- client: { jsonrpc: "2.0", id: 2, method: tools/call, params: { name: b } }
- server: { jsonrpc: "2.0", id: 2, result: { text: two } } # by hand
`;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-update-'));
  file = join(folder, 'cassette.yaml');
  writeFileSync(file, TAPE, { mode: 0o640 });
});
afterEach(() => rmSync(folder, { recursive: true }));

async function update(edit: Edit, ignore: string[] = []): Promise<number> {
  const cassette = loadCassette(file);
  const { driven } = await live(cassette, edit);
  return updateCassette({ cassette, driven, ignore }).count;
}
const read = () => readFileSync(file, 'utf8');
const first = (text: string) => ({
  jsonrpc: '2.0',
  id: 1,
  result: { text, taskId: 'task-9', createdAt: 'today' },
});

describe('updateCassette', () => {
  it('takes what differs, and keeps comments, details, handles and times', async () => {
    expect(await update((said) => [said.id === 1 ? first('other') : said])).toBe(1);
    expect(read()).toBe(TAPE.replace('text: one', 'text: other'));
    expect(readdirSync(folder)).toEqual(['cassette.yaml']);
  });

  itOnPosix('file modes', 'keeps the mode of the file', async () => {
    await update((said) => [said.id === 1 ? first('other') : said]);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('makes a cassette that the same server passes', async () => {
    const edit: Edit = (said) => [said.id === 1 ? first('other') : said];
    await update(edit);
    const { driven } = await live(loadCassette(file), edit);
    expect(compareSession({ file, driven }).steps.filter(({ status }) => status === 'failed')).toEqual([]);
  });

  it.each<[string, object]>([
    ['a result with isError', { result: { content: [], isError: true } }],
    ['an error of JSON-RPC', { error: { code: -32602, message: 'Unknown tool' } }],
    ['a failed task', { result: { taskId: 'task-9', status: 'failed' } }],
  ])('takes no success over that is %s now, and nothing else with it', async (_, now) => {
    const both: Edit = (said) => [said.id === undefined ? said : { jsonrpc: '2.0', id: said.id, ...now }];
    await expect(update(both)).rejects.toThrow(
      /Cannot update .*cassette\.yaml:5\b.*2 requests that succeeded fail now \(line 5, 20\).*record the session again/s,
    );
    const one: Edit = (said) => [
      said.id === 1 ? first('other') : said.id === 2 ? { jsonrpc: '2.0', id: 2, ...now } : said,
    ];
    await expect(update(one)).rejects.toThrow(/cassette\.yaml:20\b.*a request that succeeded fails now/s);
    expect(read()).toBe(TAPE);
  });

  it('takes an error over that was another error', async () => {
    writeFileSync(file, TAPE.replace('result: { text: two }', 'error: { code: -32602, message: no }'));
    const other = { jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'none' } };
    expect(await update((said) => [said.id === 2 ? other : said])).toBe(1);
    expect(read()).toContain('message: none');
  });

  it('takes notifications, too', async () => {
    const other = notification('message', { data: 'started' });
    expect(await update((said) => [said.method ? other : said])).toBe(1);
    expect(read()).toBe(TAPE.replace('data: begun', 'data: started'));
  });

  it('writes nothing where nothing differs that counts', async () => {
    const before = statSync(file).mtimeMs;
    expect(await update((said) => [said.id === 1 ? first('one') : said])).toBe(0);
    expect(await update((said) => [said.id === 1 ? first('x') : said], ['/result/text'])).toBe(0);
    expect(statSync(file).mtimeMs).toBe(before);
  });

  it.each<[string, Edit, RegExp]>([
    [
      'an answer is missing',
      (said) => (said.id === 2 ? [] : [first('x')]),
      /cassette\.yaml:20: this request was not answered/,
    ],
    ['the server crashed', (said) => (said.id === 2 ? [exits(1)] : [first('x')]), /the session broke off: crashed/],
  ])('refuses where %s, and leaves the file as it was', async (_why, edit, says) => {
    await expect(update(edit)).rejects.toThrow(says);
    expect(read()).toBe(TAPE);
    expect(readdirSync(folder)).toEqual(['cassette.yaml']);
  });

  it('refuses an answer that is a part of a batch', async () => {
    const batch = `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: a }
- server:
  - { jsonrpc: "2.0", id: 1, result: { text: one } }
`;
    writeFileSync(file, batch);
    const { driven } = await live(loadCassette(file), () => [result(1, 'other')]);
    expect(() => updateCassette({ cassette: loadCassette(file), driven })).toThrow(/a part of a batch/);
    expect(read()).toBe(batch);
  });

  it('refuses a list that is now cut into another number of pages', async () => {
    writeFileSync(
      file,
      `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: tools/list }
- server: { jsonrpc: "2.0", id: 1, result: { tools: [ { name: a } ], nextCursor: x } }
- client: { jsonrpc: "2.0", id: 2, method: tools/list, params: { cursor: x } }
- server: { jsonrpc: "2.0", id: 2, result: { tools: [ { name: b } ] } }
`,
    );
    const short: Edit = () => [{ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'c' }] } }];
    await expect(update(short)).rejects.toThrow(/the list has 1 page now, and 2 in the cassette/);
  });

  itOnPosix('links', 'follows a link to the file, and leaves the link', async () => {
    const link = join(folder, 'link.yaml');
    symlinkSync(file, link);
    const cassette = loadCassette(link);
    const { driven } = await live(cassette, (said) => [said.id === 1 ? first('other') : said]);
    updateCassette({ cassette, driven });
    expect(read()).toContain('text: other');
    expect(readdirSync(folder).sort()).toEqual(['cassette.yaml', 'link.yaml']);
  });
});

it('takes a foreign secret over where the client sent another one', async () => {
  const sources = { env: {}, headers: { authorization: 'Bearer parcelOpaque55Xyz789Qq' } };
  const redactor = createRedactor(sources);
  const sent = sentCredentials(redactor, sources);
  const redact = redactor.json;
  writeFileSync(file, TAPE.replace('text: one', 'text: you are Bearer [redacted:authorization:1]'));
  const taken = async (token: string) => {
    const cassette = loadCassette(file);
    const { driven } = await live(cassette, (said) => [said.id === 1 ? first(`you are Bearer ${token}`) : said]);
    return updateCassette({ cassette, driven, redact, compared: { redact, advise: () => '', sent } }).count;
  };
  expect(await taken('parcelOpaque55Xyz789Qq')).toBe(0);
  expect(await taken('someoneElses77Abc123Rr')).toBe(1);
  expect(read()).toMatch(/you are Bearer \[redacted:(?!authorization:1)[\w-]+:\d+\]/);
});

it('leaves answers alone that differ in nothing, where some of their secrets were given', async () => {
  const text = (customers: string) => `text: "${customers}"`;
  const tape = TAPE.replace('name: a }', 'name: a, arguments: { id: "[redacted:customer:1]" } }')
    .replace('text: one', text('[redacted:customer:1], [redacted:customer:2], [redacted:customer:3]'))
    .replace('text: two', text('Customers: [redacted:customer:3]'));
  writeFileSync(file, tape);
  const given = { customer: 'CUST-1' };
  const rules = [{ pattern: 'CUST-\\d+', name: 'customer' }, ...rulesForSecrets(given)];
  const redactor = createRedactor({ env: {}, rules });
  const redaction = liveRedaction(redactor, given, () => '', { env: {} });
  const cassette = loadCassette(file);
  const { bindings } = recordedNames(cassette, { played: cassette, redactor });
  const played = restoreCassetteSecrets(cassette, 'client', given, () => '');
  const said: Edit = ({ id }) => [
    id === 1 ? first('CUST-1, CUST-2, CUST-3') : { jsonrpc: '2.0', id, result: { text: 'Our customers: CUST-3' } },
  ];
  const { driven } = await live(played, said, { redaction });
  const compared = compareSession({ file, driven, redaction: { ...redaction, bindings } });
  expect(compared.steps.filter(({ status }) => status === 'failed').map(({ line }) => line)).toContain(20);
  expect(updateCassette({ cassette, driven, redact: redactor.json, compared: redaction }).count).toBe(1);
  expect(read()).toContain(text('[redacted:customer:1], [redacted:customer:2], [redacted:customer:3]'));
  expect(read()).toContain('Our customers: [redacted:customer:3]');
});

it('writes a value with the placeholder that it has elsewhere, and a new one with a number of its own', async () => {
  const { json: redact } = createRedactor({ env: {}, rules: [{ pattern: 'CUST-(\\d+)', name: 'customer' }] });
  writeFileSync(
    file,
    TAPE.replace('text: one', 'text: CUST-[redacted:customer:1]').replace(
      'text: two',
      'text: "CUST-[redacted:customer:2]"',
    ),
  );
  const edit: Edit = (said) => {
    if (said.id === 1) return [first('CUST-1111')];
    return [said.id === 2 ? { ...said, result: { text: 'now CUST-3333, CUST-1111' } } : said];
  };
  const { driven } = await live(loadCassette(file), edit);
  expect(updateCassette({ cassette: loadCassette(file), driven, redact }).count).toBe(1);
  expect(read()).toContain('now CUST-[redacted:customer:3], CUST-[redacted:customer:1]');
  const redaction = { redact, advise: () => '' };
  const again = await live(loadCassette(file), edit, { redaction });
  const { steps } = compareSession({ file, driven: again.driven, redaction });
  expect(steps.filter(({ status }) => status === 'failed')).toEqual([]);
});

it('takes over a value that stands for another placeholder', async () => {
  const { json: redact } = createRedactor({ env: {}, rules: [{ pattern: 'CUST-(\\d+)', name: 'customer' }] });
  writeFileSync(
    file,
    TAPE.replace('text: one', 'text: CUST-[redacted:customer:1]').replace(
      'text: two',
      'text: "CUST-[redacted:customer:2]"',
    ),
  );
  const edit: Edit = (said) => {
    if (said.id === 1) return [first('CUST-1111')];
    return [said.id === 2 ? { ...said, result: { text: 'CUST-1111' } } : said];
  };
  const { driven } = await live(loadCassette(file), edit);
  const { steps } = compareSession({ file, driven, redaction: { redact, advise: () => '' } });
  expect(steps.filter(({ status }) => status === 'failed').map(({ details }) => details)).toEqual([
    ['The server said for [redacted:customer:2] at /result/text the value that it said for [redacted:customer:1].'],
  ]);
  expect(updateCassette({ cassette: loadCassette(file), driven, redact }).count).toBe(1);
  expect(read()).not.toContain('customer:2');
});
