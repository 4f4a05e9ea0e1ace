import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import type { CassetteState, EditReply, EditRequest } from '../../../src/html-report/data/live-page-protocol.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { fileVersion } from '../../../src/ui/cassettes/file-version.ts';
import { AnswerEditor } from '../../../src/ui/edit/answer-editor.ts';
import { shownProblem } from '../../../src/ui/verification/shown-problem.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const TEXT = `format: mcp-record/1
recorder: mcp-record 0.1.0
transport: stdio
events:
- client:
    jsonrpc: "2.0"
    id: 1
    method: tools/call
    params:
      name: echo
- server:
    jsonrpc: "2.0"
    id: 1
    result:
      content:
        - type: text
          text: before
- end: complete
`;
const LINE = 11;

/** A folder with a cassette, and a page of it that edits. */
function opened(text = TEXT, state: CassetteState = 'ended') {
  const root = temporaryFolder();
  const folder = join(root, 'cassettes');
  mkdirSync(folder);
  const file = join(folder, 'a.yaml');
  writeFileSync(file, text);
  const saved: [string, string][] = [];
  const editor = new AnswerEditor({
    folder,
    row: (name) => ({ name, state, events: 3, bytes: text.length, version: '', changed: '' }),
    fileOf: (name) => join(folder, name),
    redactor: () => createRedactor({ env: {} }),
    saved: (...args) => saved.push(args),
  });
  const frame = parseCassette(text, file).events[1]!.frame;
  const before = frame.kind === 'message' ? frame.json.text : '';
  const request: EditRequest = { line: LINE, part: 0, before, text: '{}', version: fileVersion(file), save: true };
  /** The reply of the editor, or its error as a page gets it. */
  const reply = (changes: Partial<EditRequest>, name = 'a.yaml'): EditReply => {
    try {
      return editor.edit(name, { ...request, ...changes });
    } catch (error) {
      return { problem: shownProblem(error) };
    }
  };
  return { root, folder, file, saved, request, reply, editor };
}

const AFTER = '{ "content": [{ "type": "text", "text": "after" }] }';

describe('an edit', () => {
  it('that is checked shows the difference, and writes nothing', () => {
    const { file, reply } = opened();
    expect(reply({ text: AFTER, save: false })).toEqual({
      difference: [
        { kind: 'same', text: '  content:' },
        { kind: 'same', text: '    - type: text' },
        { kind: 'removed', text: '      text: before' },
        { kind: 'added', text: '      text: after' },
      ],
    });
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });

  it('that breaks the protocol is saved, with a warning', () => {
    const { file, reply } = opened();
    expect(reply({ text: '{ "content": "nonsense" }' })).toMatchObject({
      saved: true,
      warnings: ['"content" is not a list [tool-result]'],
    });
    expect(readFileSync(file, 'utf8')).toContain('nonsense');
    expect(opened().reply({ text: AFTER })).not.toHaveProperty('warnings');
  });

  it('that is saved changes one line of the file, keeps its mode, and says its new version', () => {
    const { file, reply, saved } = opened();
    chmodSync(file, 0o640);
    const version = fileVersion(file);
    expect(reply({ text: AFTER, version })).toMatchObject({ saved: true });
    expect(readFileSync(file, 'utf8')).toBe(TEXT.replace('before', 'after'));
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(saved).toEqual([['a.yaml', fileVersion(file)]]);
    expect(fileVersion(file)).not.toBe(version);
  });

  it('of two pages is saved once: the second one is told', () => {
    const { reply, file } = opened();
    expect(reply({ text: AFTER })).toMatchObject({ saved: true });
    expect(reply({ text: '{}' })).toMatchObject({ problem: { code: 'CASSETTE_CHANGED' } });
    expect(readFileSync(file, 'utf8')).toBe(TEXT.replace('before', 'after'));
  });

  it('of another message than the page has is refused, even if the version is right', () => {
    const { reply, request } = opened();
    const before = request.before.replace('before', 'other');
    expect(reply({ before })).toMatchObject({ problem: { code: 'CASSETTE_CHANGED' } });
  });

  it.each(['growing', 'unfinished'] as const)('of a cassette that is %s is refused', (state) => {
    const { reply, file } = opened(TEXT, state);
    expect(reply({ text: AFTER })).toMatchObject({
      problem: { code: 'UI_CASSETTE_GROWING', next: expect.stringContaining('- end: killed') },
    });
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });

  it('of a file or in a folder that is read only is refused, for root, too', () => {
    const { reply, file, folder } = opened();
    chmodSync(file, 0o444);
    const version = fileVersion(file);
    expect(reply({ text: AFTER, version })).toMatchObject({ problem: { code: 'UI_CASSETTE_READ_ONLY' } });
    chmodSync(file, 0o644);
    chmodSync(folder, 0o555);
    expect(reply({ text: AFTER, version })).toMatchObject({ problem: { code: 'UI_CASSETTE_READ_ONLY' } });
    chmodSync(folder, 0o755);
    expect(reply({ text: AFTER, version })).toMatchObject({ saved: true });
  });

  it('of a link follows it inside the folder, and is refused outside', () => {
    const { reply, folder, root, file } = opened();
    symlinkSync(file, join(folder, 'inside.yaml'));
    writeFileSync(join(root, 'other.yaml'), TEXT);
    symlinkSync(join(root, 'other.yaml'), join(folder, 'outside.yaml'));
    const version = fileVersion(join(root, 'other.yaml'));
    expect(reply({ text: AFTER, version }, 'outside.yaml')).toMatchObject({ problem: { code: 'UI_CASSETTE_OUTSIDE' } });
    expect(readFileSync(join(root, 'other.yaml'), 'utf8')).toBe(TEXT);
    expect(reply({ text: AFTER }, 'inside.yaml')).toMatchObject({ saved: true });
    expect(readFileSync(file, 'utf8')).toContain('text: after');
  });

  it('with a secret is refused with its kind, and never its value', () => {
    const { reply, file } = opened();
    const secret = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zC0fI3lO6'}`;
    const refused = reply({ text: JSON.stringify({ content: [{ type: 'text', text: secret }] }) });
    expect(refused).toMatchObject({
      problem: { code: 'UI_ANSWER_HAS_SECRET', next: expect.stringMatching(/\[redacted:.*:1\]/) },
    });
    expect(JSON.stringify(refused)).not.toContain(secret);
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });

  it('of text that cannot be read has a problem as its result, whether it is checked or saved', () => {
    const { editor, request } = opened();
    for (const save of [false, true])
      expect(editor.edit('a.yaml', { ...request, text: '{', save })).toMatchObject({
        problem: { code: 'UI_ANSWER_UNREADABLE' },
      });
  });

  it('of text that cannot be read is refused with its place', () => {
    expect(opened().reply({ text: '{\n  "content": [,]\n}' })).toMatchObject({
      problem: { code: 'UI_ANSWER_UNREADABLE', line: 2, column: 15 },
    });
  });

  it('of a file that is gone, not UTF-8 or no cassette any more is refused with its cause', () => {
    const { reply, file } = opened();
    expect(reply({}, 'none.yaml')).toMatchObject({ problem: { code: 'CASSETTE_NOT_FOUND' } });
    writeFileSync(file, Buffer.concat([Buffer.from(TEXT), Buffer.from([0x23, 0xff, 0x0a])]));
    expect(reply({ version: fileVersion(file) })).toMatchObject({ problem: { code: 'CASSETTE_NOT_EDITED' } });
    writeFileSync(file, 'a: 1\n');
    expect(reply({ version: fileVersion(file) })).toMatchObject({ problem: { code: 'CASSETTE_NOT_RECOGNIZED' } });
  });
});
