import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { appendEntries } from '../../src/modes/append-entries.ts';
import { client, request, result, server } from '../support/conversation.ts';

const added: Frame[] = [client(request(7, 'tools/list')), server(result(7, 'a "list"'))];
const kinds = (text: string) =>
  parseCassette(text, 't.yaml').events.map(({ frame }) =>
    frame.kind === 'message' ? `${frame.from} ${frame.json.text.includes('7') ? 'new' : 'old'}` : frame.kind,
  );
const head = 'format: mcp-record/1\nrecorder: mcp-record 0.1.0\ntransport: stdio\nevents:\n';
const old = '- client:\n    jsonrpc: "2.0"\n    id: 1\n    method: ping\n  after: 20\n# by hand\n';

describe('what is added to a cassette', () => {
  it('stands before the end of its session, and leaves every line as it was', () => {
    const text = `${head}${old}- stderr: bye\n- close: client\n- stderr: late\n- exit: 0\n- end: complete\n`;
    const more = appendEntries(text, 't.yaml', added);
    expect(kinds(more)).toEqual(['client old', 'line', 'client new', 'server new', 'close', 'line', 'exit']);
    const rest = more.split('\n');
    for (const line of text.split('\n')) expect(rest.splice(0, rest.indexOf(line) + 1)).toContain(line);
  });

  it('stands last where the session did not end', () => {
    expect(kinds(appendEntries(`${head}${old}- end: complete\n`, 't.yaml', added))).toEqual([
      'client old',
      'client new',
      'server new',
    ]);
  });

  it('is added to a cassette written by hand', () => {
    const text = 'format: mcp-record/1\ntransport: stdio\nevents:\n- client: { method: tools/call, id: 1 }\n\n';
    expect(kinds(appendEntries(text, 't.yaml', added))).toEqual(['client old', 'client new', 'server new']);
  });

  it('keeps the ends of lines that the file has', () => {
    const text = `${head}${old}- close: client\n- end: complete\n`.replaceAll('\n', '\r\n');
    expect(appendEntries(text, 't.yaml', added)).not.toMatch(/[^\r]\n/);
  });

  it('is not added to a cassette whose recorder was killed', () => {
    expect(() => appendEntries(`${head}${old}- close: cli`, 't.yaml', added)).toThrow(
      /killed.*\[CASSETTE_NOT_EXTENDED\]/s,
    );
  });

  it('is not added where lines are not events', () => {
    const text = 'format: mcp-record/1\ntransport: stdio\nevents: [{ client: { method: ping, id: 1 } }]\n';
    expect(() => appendEntries(text, 't.yaml', added)).toThrow(/\[CASSETTE_NOT_EXTENDED\]/);
  });
});
