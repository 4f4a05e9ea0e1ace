import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sessionFailedError } from '../../../src/adapters/test/session-failed-error.ts';
import type { Finding } from '../../../src/replay/findings/finding.ts';
import { replayOutcome } from '../../../src/replay/findings/replay-outcome.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const miss: Finding = { kind: 'miss', text: 'The client asked for a tool.' };
const unused: Finding = { kind: 'unused', text: '1 recorded request never came.' };
const byDefault: Finding = { kind: 'default', text: 'No initialize.' };

it('lists only what fails the test, in its heading and its advice, too', () => {
  const outcome = replayOutcome([byDefault, unused, miss], { onMiss: 'report' });
  const { message } = sessionFailedError('a.yaml', outcome);
  expect(message).toContain('not all of the cassette was used');
  expect(message).toContain(unused.text);
  expect(message).not.toContain('is not in the cassette');
  expect(message).not.toContain(miss.text);
  expect(message).not.toContain(byDefault.text);
});

it('does not say to record a cassette that was written', () => {
  const folder = temporaryFolder();
  const [recorded, written] = ['recorded.yaml', 'written.yaml'].map((name) => join(folder, name));
  const head = 'format: mcp-record/1\ntransport: stdio\n';
  writeFileSync(recorded!, `${head}recorder: mcp-record/1.0.0\nevents: []\n`);
  writeFileSync(written!, `${head}events: []\n`);
  const advice = (cassette: string, kind: Finding['kind']) =>
    sessionFailedError(cassette, { findings: [{ kind, text: 'It is so.' }] })
      .message.split('\n')
      .at(-1)
      ?.trim();
  for (const kind of ['miss', 'unused', 'differs', 'late'] as const) {
    expect(advice(recorded!, kind)).toContain('or record the cassette anew, e.g. with npx mcp-record record');
    // The last one is a cassette of `cassette()` in this file.
    for (const other of [written!, import.meta.filename])
      expect(advice(other, kind)).toContain('or write what it does now into the cassette.');
  }
  expect(advice(written!, 'unanswerable')).toBe('Write the missing answer into the cassette.');
});

it('speaks of the server where a mock client drives it', () => {
  const message = (kind: Finding['kind']) =>
    sessionFailedError('', { findings: [{ kind, text: 'It is so.' }], isOfClient: true }).message;
  expect(message('miss')).toMatch(/mock client went wrong: no handler answers a request of the server\./);
  expect(message('miss')).toContain('Mend the server, or add a handler.');
  expect(message('stray')).toContain('the server answers what nobody asked');
  expect(message('thrown')).toContain('Mend the server or the handler');
  expect(message('uncalled')).toContain('or remove the handler');
});

it('lists all where nobody has judged them', () => {
  const { message } = sessionFailedError('a.yaml', { findings: [miss, unused] });
  expect(message).toContain(miss.text);
  expect(message).toContain(unused.text);
});
