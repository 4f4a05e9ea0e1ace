import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareServer, type VerifyOptions } from '../../../src/adapters/test/verify-server.ts';
import { failedSteps } from '../../../src/text-report/outcome-model.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const folder = temporaryFolder();
const SERVER = join(import.meta.dirname, '..', '..', 'fixtures', 'makes-ids.js');

/** Recorded ids, by kind. The first two kinds are in the text and in the structured content. */
const IDS = {
  hex: 'ord_8f3a61c0',
  uuid: '0a0b0c0d-1111-4222-8333-444455556666',
  letters: 'aBcDefGhijKlAbCd',
  json: 'aBzYxWvUtSrQpOnM',
  slash: 'xaBc/12ab34cd',
  hyphen: 'h-m8eIfnRhUP6j3Kab',
  base64: 'T/ucA1jqjLb+P9j2owAB1A==',
};
type Kind = keyof typeof IDS;
const RULES: Record<Kind, string[]> = {
  hex: ['/Order \\S+/', '/result/structuredContent/id'],
  uuid: ['/Order \\S+/', '/result/structuredContent/id'],
  letters: ['/Order \\S+/'],
  json: ['/"orderId":"\\w+/'],
  slash: ['/Order \\S+/'],
  hyphen: ['/Order \\S+/'],
  base64: ['/Order \\S+/'],
};

interface CassetteOptions {
  kinds?: readonly Kind[];
  /** Whether the answers that return ids have rules. */
  ruled?: boolean;
  /** A rule beside the answer about the first order. */
  statusRule?: string;
  /** Another order of the first kind, placed before. */
  other?: string;
}

let files = 0;

interface RecordedCall {
  name: string;
  args: object;
  result: object;
  rules?: readonly string[] | undefined;
}

/** Writes a session with these calls. */
function session(calls: readonly RecordedCall[]): string {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'app', version: '1' } };
  const serverInfo = { name: 's', version: '1' };
  const events: object[] = [
    { client: { id: 0, method: 'initialize', params } },
    { server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } } },
    { client: { method: 'notifications/initialized' } },
    ...calls.flatMap(({ name, args, result, rules }, index) => [
      { client: { id: index + 1, method: 'tools/call', params: { name, arguments: args } } },
      { server: { id: index + 1, result }, ...(rules && { match: { ignore: rules } }) },
    ]),
  ];
  const file = join(folder, `orders-${files++}.yaml`);
  writeFileSync(file, `format: mcp-record/1\nevents:\n${events.map((one) => `- ${JSON.stringify(one)}\n`).join('')}`);
  return file;
}

/** Writes a session that places orders, and then asks for each. */
function written({
  kinds = Object.keys(IDS) as Kind[],
  ruled = true,
  statusRule,
  other,
}: CassetteOptions = {}): string {
  const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
  const order = (kind: Kind, made: string, item: string): RecordedCall => {
    const said = kind === 'json' ? JSON.stringify({ orderId: made, items: 1 }) : `Order ${made} is placed.`;
    const data = kind === 'hex' || kind === 'uuid' ? { structuredContent: { id: made } } : {};
    return {
      name: 'order',
      args: { kind, item },
      result: { ...text(said), ...data },
      rules: ruled ? RULES[kind] : undefined,
    };
  };
  const status = (id: string, item: string, rules?: string[]): RecordedCall => {
    return { name: 'status', args: { id }, result: text(`${id}: ${item}`), rules };
  };
  const rules = statusRule === undefined ? undefined : [statusRule];
  return session([
    ...(other === undefined ? [] : [order(kinds[0]!, other, 'milk')]),
    ...kinds.map((kind) => order(kind, IDS[kind], `tea of ${kind}`)),
    ...(other === undefined ? [] : [status(other, 'milk')]),
    ...kinds.map((kind) => status(IDS[kind], `tea of ${kind}`, rules)),
  ]);
}

const compared = (file: string, fault: string[] = [], options: VerifyOptions = {}) =>
  compareServer(file, { command: process.execPath, args: [SERVER, ...fault] }, options);

async function failures(file: string, fault: string[] = [], options: VerifyOptions = {}) {
  const failed = failedSteps(await compared(file, fault, options));
  return failed.map(({ title, headline, details = [] }) => [`${title}: ${headline}`, ...details].join('\n'));
}

async function verify(file: string, ...words: string[]) {
  const { stdout, status } = await run(mcpRecord('verify', file, ...words));
  return { status, text: stdout.toString() };
}

describe('ids of every form that a live server makes up', () => {
  it('are followed in ten runs in a row, and noted', async () => {
    const file = written();
    for (let round = 0; round < 10; round++) {
      const outcome = await compared(file);
      expect(failedSteps(outcome)).toEqual([]);
      expect(outcome.steps.filter(({ status }) => status === 'passed')).toHaveLength(15);
      expect(outcome.notes.filter((note) => note.includes('in place of'))).toHaveLength(7);
      expect(outcome.notes.filter((note) => note.includes('was sent as recorded'))).toEqual([]);
      for (const id of Object.values(IDS)) expect(outcome.notes.join('\n')).toContain(`in place of "${id}"`);
    }
  });
});

describe('one id of the cassette is one live id', () => {
  const OTHER = 'ord_73d1f9e2';
  const kinds: Kind[] = ['hex', 'uuid'];

  it('in the text and in the structured content of one answer, or the answer fails and names both places', async () => {
    const found = await failures(written({ kinds }), ['two-ids']);
    expect(found.slice(0, 2)).toEqual([
      expect.stringMatching(
        /^tools\/call "order": "ord_\w+" at \/result\/structuredContent\/id, and "ord_\w+" at \/result\/content\/0\/text: the cassette has one id at both, "ord_8f3a61c0"$/,
      ),
      expect.stringMatching(/at \/result\/structuredContent\/id, and .*"0a0b0c0d-1111-4222-8333-444455556666"$/),
    ]);
  });

  it('in several answers, also where a rule leaves the id out', async () => {
    const file = written({ kinds: ['hex'], other: OTHER, statusRule: '/ord_\\w+/' });
    expect(await failures(file)).toEqual([]);
    const [found] = await failures(file, ['foreign']);
    expect(found).toMatch(/^tools\/call "status": /);
    const wide = written({ kinds: ['hex'], other: OTHER });
    expect(await failures(wide, [], { ignore: [/ord_\w+/] })).toEqual([]);
    expect(await failures(wide, ['foreign'], { ignore: [/ord_\w+/, /: (?:tea of hex|milk)/] })).toEqual([
      expect.stringMatching(
        /^tools\/call "status": this answer has another id than the one that was sent: "ord_\w+" at \/result\/content\/0\/text, and not "ord_\w+"$/,
      ),
      expect.stringContaining('another id than the one that was sent'),
    ]);
  });

  it('and two ids of the cassette are not one live id', async () => {
    const file = written({ kinds: ['hex'], other: OTHER });
    const [found] = await failures(file, ['one-id']);
    expect(found).toMatch(
      /^tools\/call "order": this answer has the id of another one: "ord_\w+" at \/result\/content\/0\/text is also at \/result\/content\/0\/text of tools\/call "order" \(line 6\), where the cassette has "ord_73d1f9e2" in place of "ord_8f3a61c0"/,
    );
  });
});

describe('an answer with the id of another order', () => {
  const file = () => written({ kinds: ['hex'], other: 'ord_73d1f9e2', ruled: false });

  it('is said to have another id than the one that was sent, and is no value that changes in each run', async () => {
    const { status, text } = await verify(file(), '--', process.execPath, SERVER, 'foreign');
    expect(status).toBe(1);
    expect(text.match(/another id than the one that was sent/g)?.length).toBeGreaterThan(0);
    expect(text).toContain('hint: Some of the differences look like values that change in each run');
    const ruled = written({ kinds: ['hex'], other: 'ord_73d1f9e2' });
    const { text: said } = await verify(ruled, '--', process.execPath, SERVER, 'foreign');
    expect(said).toContain('another id than the one that was sent');
    expect(said).not.toContain('hint:');
  });

  it('gets no proposal that hides it', async () => {
    const { text } = await verify(file(), '--propose-ignores', '--', process.execPath, SERVER, 'foreign');
    const proposed = text.slice(text.indexOf('Two runs of the server differ here'));
    expect(proposed).toContain('tools/call "order"');
    expect(proposed).not.toContain('tools/call "status"');
  });

  it('are proposed for all pages at once, though each page is asked for by the cursor of the one before', async () => {
    const cursors = ['T/ucA1jqjLb+P9j2owAB1A==', 'a0/ucA1jqjLb+P9j2owAB1==', 'Zz9cA1jqjLb+P9j2owAB/1=='];
    const calls = cursors.map((next, index) => {
      const args = index === 0 ? {} : { cursor: cursors[index - 1] };
      const result = { content: [{ type: 'text', text: `Rows of page ${index + 1}. Next: ${next}` }] };
      return { name: 'page', args, result };
    });
    const { text } = await verify(session(calls), '--propose-ignores', '--', process.execPath, SERVER);
    const rules = text.match(/^ +- '(\/.*\/)'$/gm)!.map((line) => line.replace(/^ +- '|'$/g, ''));
    expect(rules).toHaveLength(3);
    expect(new Set(rules)).toEqual(new Set(['/\\. Next: [\\w+/=-]+/']));
    const ruled = session(calls.map((one) => ({ ...one, rules: [rules[0]!] })));
    expect(await failures(ruled)).toEqual([]);
    const { notes } = await compared(ruled);
    expect(notes.filter((note) => note.includes('was sent as recorded'))).toEqual([]);
  });
});
