import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadCassette } from '../../../../src/cassette/read/load-cassette.ts';
import { parseCassette } from '../../../../src/cassette/read/parse-cassette.ts';
import { sessionPrefix } from '../../../../src/fork/session-prefix.ts';
import {
  cassetteYaml,
  curlCommand,
  forkCommand,
  sdkCall,
  vitestTest,
} from '../../../../src/html-report/browser/details/copy-as.ts';
import { sessionView } from '../../../../src/html-report/data/session-view.ts';
import { call, cassette, client, request, result, server, stderr } from '../../../support/conversation.ts';
import { itOnPosix } from '../../../support/on-posix.ts';

const itemsOf = (...frames: Parameters<typeof cassette>) => sessionView(cassette(...frames)).items;

it.each(['cassettes/everything.yaml', 'test/browser/sessions/streams.yaml'])('%s comes back from its copy', (file) => {
  const { items } = sessionView(loadCassette(file));
  const messages = items.filter(({ content }) => content?.language === 'json');
  const copied = parseCassette(`format: mcp-record/1\ntransport: http\nevents:\n${cassetteYaml(items)}`, 'copy.yaml');
  const again = sessionView(copied).items;
  const seen = ({ content, from, stream, carried }: (typeof items)[number]) => {
    return { from, stream, carried, said: JSON.parse(content!.text) };
  };
  expect(again.map(seen)).toEqual(messages.map(seen));
  const { at: first } = messages[0]!;
  expect(again.at(-1)!.at).toBeLessThanOrEqual(messages.at(-1)!.at - first + 1);
});

it('what is no message is a comment, on one line', () => {
  expect(cassetteYaml(itemsOf(stderr('a\nb')))).toBe('# line 1: stderr\n');
});

it('a call is a line for a client of the SDK, and does the same', async () => {
  const [asked] = itemsOf(client(call(1, 'a"b`${x}', { n: 1, text: "it's\u2028\u{e0041}" }, 'token')));
  const heard: unknown[] = [];
  const run = new Function('client', `return (async () => { ${sdkCall(asked!)} })()`);
  await run({ callTool: async (params: unknown) => heard.push(params) });
  expect(heard).toEqual([{ name: 'a"b`${x}', arguments: { n: 1, text: "it's\u2028\u{e0041}" } }]);
  expect(sdkCall(asked!)).not.toMatch(/[\u2028\u{e0041}]/u);
  expect(sdkCall(itemsOf(client(request(1, 'tools/list')))[0]!)).toBe('await client.listTools()');
  expect(sdkCall(itemsOf(client(request(1, 'custom/method')))[0]!)).toBeUndefined();
});

itOnPosix('shell', 'curl is one command of a shell, whatever the message and the address hold', () => {
  const [asked] = itemsOf(client(call(1, "'; echo no; '", { $HOME: '`id`\u009b\\' })));
  const command = curlCommand(asked!, "https://example.com/'$(id)'", '2025-11-25')!;
  const words = execFileSync('sh', ['-c', `curl() { for word; do printf '%s\\0' "$word"; done; }; ${command}`], {
    encoding: 'utf8',
  });
  const [body] = words.split('\0').filter((word) => word.startsWith('{'));
  expect(JSON.parse(body!)).toEqual(JSON.parse(asked!.content!.text));
  expect(words).toContain("--\0https://example.com/'$(id)'\0");
  expect(words).toContain('mcp-protocol-version: 2025-11-25');
  expect(command).not.toContain('\u009b');
});

it('a test expects the recorded result, or that the call fails', () => {
  const [asked, answer] = itemsOf(client(call(1, 'add', { a: 1 })), server(result(1, '3')));
  expect(vitestTest(asked!, answer)).toContain('.toEqual({\n    "text": "3"\n  });');
  const [other, error] = itemsOf(client(call(1, 'add')), server({ id: 1, error: { code: 1, message: 'no' } }));
  expect(vitestTest(other!, error)).toContain('.rejects.toThrow();');
  expect(vitestTest(other!, undefined)).toBeUndefined();
  expect(vitestTest(asked!, answer)).toContain('// TODO: the command that starts your server');
  expect(vitestTest(asked!, answer, 'http://127.0.0.1:3000/mcp')).toContain(
    'const server = { url: "http://127.0.0.1:3000/mcp" };',
  );
});

const RECORDED = readdirSync('cassettes').filter((name) => name.endsWith('.yaml') && !name.endsWith('.probe.yaml'));

it.each(RECORDED)('a server can be brought to the state after each call of %s', (name) => {
  const file = `cassettes/${name}`;
  const recorded = loadCassette(file);
  const lineCount = readFileSync(file, 'utf8').split('\n').length;
  const view = sessionView(recorded);
  const calls = view.items.filter(
    ({ kind, from, answer }) => kind === 'request' && from === 'client' && answer !== undefined,
  );
  expect(calls.length).toBeGreaterThan(0);
  for (const asked of calls) {
    const line = Number(/:(\d+)' /.exec(forkCommand(asked, view) ?? '')?.[1]);
    const { events } = sessionPrefix(recorded, { line, lineCount });
    expect(events.some((event) => event.line === view.items[asked.answer!]!.line)).toBe(true);
  }
});

it('a fork waits for calls that are open, and for the server that was recorded', () => {
  const { items } = sessionView(
    cassette(
      client(call(1, 'slow')),
      client(call(2, 'quick')),
      server(result(2, 'b')),
      server(result(1, 'a')),
      client(call(3, 'a')),
    ),
  );
  const view = { title: "it's.yaml", items };
  expect(forkCommand(items[1]!, view)).toBe(
    `npx mcp-record fork -o new.yaml 'it'\\''s.yaml:${items[3]!.line}' -- YOUR SERVER`,
  );
  expect(forkCommand(items[0]!, { ...view, url: 'http://a/mcp' })).toMatch(/ --http 'http:\/\/a\/mcp'$/);
  expect(forkCommand(items[4]!, view)).toBeUndefined();
  const endless = items
    .filter((_, index) => index !== 3)
    .map((item) => (item === items[0] ? { ...item, answer: 99 } : item));
  expect(forkCommand(endless[1]!, { ...view, items: endless })).toBeUndefined();
});

it('a fork is never at a line of another session', () => {
  const { items } = sessionView(
    cassette(
      client(request(0, 'initialize')),
      server(result(0, 'a')),
      client(request(10, 'initialize')),
      client(call(1, 'a')),
      server(result(1, 'a')),
      server(result(10, 'b')),
    ),
  );
  const view = { title: 'two.yaml', items };
  expect(forkCommand(items[0]!, view)).toContain(`two.yaml:${items[1]!.line}'`);
  // The other session has an open call here, and the next quiet line is its own.
  expect(forkCommand(items[3]!, view)).toBeUndefined();
});
