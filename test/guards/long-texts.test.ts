import { describe, expect, it } from 'vitest';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import { diffText } from '../../src/diff/format-session-diff.ts';
import { sessionText } from '../../src/diff/session-text.ts';
import { buildReport } from '../../src/html-report/data/build-report-data.ts';
import { lint } from '../../src/lint/lint.ts';
import { type OutcomePaint, outcomeText } from '../../src/text-report/check-outcome-text.ts';
import type { Outcome, Step } from '../../src/text-report/outcome-model.ts';
import { timelineOf } from '../../src/text-report/timeline-rows.ts';
import { timelineText } from '../../src/text-report/timeline-text.ts';
import { call, cassette, client, notification, request, result, server, stderr } from '../support/conversation.ts';
import { workOf } from './work.ts';

/** A session that has one long text in each place where a person can be shown one. */
const wordy = (text: string) =>
  cassette(
    client(request(0, 'initialize', { clientInfo: { name: text, version: text } })),
    server({ jsonrpc: '2.0', id: 0, result: { serverInfo: { name: text, version: text } } }),
    client(call(1, text, { [text]: text })),
    server(result(1, text)),
    client(request(2, text, { uri: text })),
    server({ jsonrpc: '2.0', id: 2, error: { code: -1, message: text, data: text } }),
    server(notification(text, { data: text })),
    server(notification('message', { level: text, logger: text, data: text })),
    client(notification('cancelled', { requestId: text, reason: text })),
    server(notification('progress', { progressToken: text, progress: text, total: text, message: text })),
    stderr(text),
    server({ [text]: text }),
  );

const failedStep = (text: string): Step => ({
  title: text,
  status: 'failed',
  headline: text,
  details: [text],
  recorded: { result: { text } },
  live: { result: { text: `${text}!` } },
  changes: [{ severity: 'breaking', path: `/${text}`, reason: text }],
});
const outcome = (text: string): Outcome => ({
  title: 'verify',
  file: text,
  steps: [failedStep(text)],
  notes: [text],
  duration: 0,
});

const asIs = (text: string) => text;
const UNPAINTED: OutcomePaint = { good: asIs, bad: asIs, dim: asIs, bold: asIs, hunk: asIs };

const PRINTERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a timeline': (text) => timelineText(timelineOf(wordy(text))),
  'a timeline of one width': (text) => timelineText(timelineOf(wordy(text)), { width: 80 }),
  'what differs': (text) => diffText(diffSessions(wordy(text), wordy(`${text}!`)), UNPAINTED),
  'a digest': (text) => sessionText(wordy(text)),
  'an outcome': (text) => outcomeText(outcome(text)),
  'what is linted': (text) => lint(wordy(text)),
  'a page': (text) => buildReport([wordy(text)]),
};
const UNITS = { letters: 'x', 'wide letters': '漢', accents: '\u0301', controls: '\u001b', lines: '\n' };

const LENGTH = 2_000;
/** Blocks, items or code units that each letter may cost the more. */
const MORE_MAX = 20;

describe.each(Object.entries(PRINTERS))('a long text in %s', (_where, print) => {
  it.each(Object.entries(UNITS))('of %s: twice as long is twice the work', async (_what, unit) => {
    const measure = (length: number) => workOf(() => print(unit.repeat(length)), { decoding: true });
    await measure(LENGTH);
    const [once, twice] = [await measure(LENGTH), await measure(2 * LENGTH)];
    expect(twice - 2 * once).toBeLessThan(MORE_MAX * LENGTH);
  });
});
