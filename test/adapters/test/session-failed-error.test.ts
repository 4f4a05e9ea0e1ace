import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  failedSessionsError,
  notesOnFaults,
  sessionFailedError,
} from '../../../src/adapters/test/session-failed-error.ts';
import type { Fired } from '../../../src/faults/engine/fault-injector.ts';
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

it('says of a failed test that the authorization server refused the client, whether or not that fails a test', () => {
  const refused: Finding = { kind: 'refused', text: 'The authorization server refused POST /token: invalid_grant.' };
  for (const onDifference of ['report', 'fail'] as const) {
    const session = { cassette: '', ...replayOutcome([refused, unused, byDefault], { onDifference }) };
    const { message } = failedSessionsError([session], { passed: false })!;
    expect(message).toContain('the authorization server refused a request');
    expect(message.split(refused.text)).toHaveLength(2);
    expect(message).not.toContain(unused.text);
    expect(failedSessionsError([session], { passed: true })?.message ?? '').not.toContain(
      onDifference === 'fail' ? byDefault.text : refused.text,
    );
  }
});

it('says of a request that never came what helps: MCP_RECORD=new only adds others', () => {
  const advice = (...findings: Finding[]) => sessionFailedError('a.yaml', { findings, canAdd: true }).message;
  expect(advice(miss)).toContain('MCP_RECORD=new adds to the cassette, MCP_RECORD=record replaces it.');
  for (const message of [advice(unused), advice(miss, unused)]) {
    expect(message).toContain('or record what it does now: MCP_RECORD=record replaces the cassette. If the client may');
    expect(message).toContain("match: { optional: true } beside it in the cassette, or onUnused: 'report'.");
    expect(message).not.toContain('MCP_RECORD=new');
  }
});

it('does not say to record a cassette that was written', () => {
  const folder = temporaryFolder();
  const [recorded, overHttp, written] = ['recorded.yaml', 'http.yaml', 'written.yaml'].map((name) =>
    join(folder, name),
  );
  const head = 'format: mcp-record/1\ntransport: stdio\n';
  writeFileSync(recorded!, `${head}recorder: mcp-record/1.0.0\nevents: []\n`);
  writeFileSync(written!, `${head}events: []\n`);
  writeFileSync(overHttp!, `format: mcp-record/1\ntransport: http\nrecorder: mcp-record/1.0.0\nevents: []\n`);
  const advice = (cassette: string, kind: Finding['kind']) =>
    sessionFailedError(cassette, { findings: [{ kind, text: 'It is so.' }] })
      .message.split('\n')
      .at(-1)
      ?.trim();
  for (const kind of ['miss', 'unused', 'differs', 'late'] as const) {
    // An existing file stays, and the recording gets another name: so it is deleted first.
    expect(advice(recorded!, kind)).toContain(
      `or record the cassette anew: run the test that records it with npx vitest -u, or delete it, and let the client start npx mcp-record record -o ${recorded} -- COMMAND in place of the server's COMMAND.`,
    );
    expect(advice(overHttp!, kind)).toContain(
      `delete it, run npx mcp-record record -o ${overHttp} --http URL, and give the client the printed URL`,
    );
    // The last one is a cassette of `cassette()` in this file.
    for (const other of [written!, import.meta.filename])
      expect(advice(other, kind)).toContain('or write what it does now into the cassette.');
  }
  const forked = join(folder, 'forked.yaml');
  const call = `- client: { id: 1, method: tools/list }\n  match: { optional: true }\n- end: complete\n`;
  writeFileSync(forked, `${head}recorder: mcp-record/1.0.0\nevents:\n${call}`);
  for (const kind of ['miss', 'unused', 'differs'] as const)
    expect(advice(forked, kind)).toContain(`npx mcp-record fork -o ${forked} FIRST.yaml:LINE -- COMMAND.`);
  expect(advice(written!, 'unanswerable')).toBe('Write the missing answer into the cassette.');
});

it('advises to change no cassette where there is none', () => {
  const adviceOf = (kind: Finding['kind']) =>
    sessionFailedError('', { findings: [{ kind, text: 'It is so.' }], canRecord: true, canAdd: true })
      .message.split('\n')
      .at(-1)
      ?.trim();
  for (const kind of ['differs', 'unrecorded', 'unanswered', 'stray'] as const)
    expect(adviceOf(kind)).toBe("Mend the client. To let it differ: onDifference: 'report'.");
  for (const kind of ['miss', 'unused', 'uncalled', 'unfired', 'leaked', 'ended', 'late', 'unanswerable'] as const)
    expect(adviceOf(kind)).not.toMatch(/cassette|MCP_RECORD|ignore:/);
  expect(adviceOf('uncalled')).toContain('remove the handler');
  expect(adviceOf('unfired')).toContain('remove the rule');
  expect(adviceOf('leaked')).toContain('Close every client');
  expect(adviceOf('ended')).toContain('reset()');
});

it('advises to mend the client whose bad answer made a handler fail', () => {
  const findings: Finding[] = [
    { kind: 'differs', text: 'It is bad.', breaksProtocol: true },
    { kind: 'thrown', text: 'It threw.' },
  ];
  expect(sessionFailedError('', { findings }).message).toMatch(
    /Mend the client, .*the handler may have failed because/,
  );
  expect(sessionFailedError('', { findings: findings.slice(1) }).message).toContain('Mend the handler or the fault');
});

it('advises to ignore the places that differ, and names a handler for what an answer changes', () => {
  const adviceOf = (...findings: Omit<Finding, 'text'>[]) =>
    sessionFailedError('a.yaml', { findings: findings.map((one) => ({ text: 'It is so.', ...one })) })
      .message.split('\n')
      .at(-1);
  const params = adviceOf({ kind: 'differs', differsAt: ['/params/capabilities/elicitation'] });
  expect(params).toContain(
    "To let it differ: ignore: ['/params/capabilities/elicitation'], or onDifference: 'report'.",
  );
  expect(params).not.toContain('handler');
  const declined = { kind: 'differs', differsAt: ['/result/action', "/result/it's"] } as const;
  expect(adviceOf(declined, declined)).toContain(
    "ignore: ['/result/action', '/result/it\\'s'], or onDifference: 'report'. The server goes on as it was recorded: to have it do something else, give its tool a handler.",
  );
  const recording = sessionFailedError('a.yaml', { findings: [{ text: 'It is so.', ...declined }], canAdd: true });
  expect(recording.message).toContain(
    "give its tool a handler: mcp.server('a.yaml', { handlers }) in place of mcp.connect.",
  );
  expect(adviceOf({ kind: 'unanswered' })).toMatch(/To let it differ: onDifference: 'report'\.$/);
});

it('speaks of the server where a mock client drives it', () => {
  const message = (kind: Finding['kind']) =>
    sessionFailedError('', { findings: [{ kind, text: 'It is so.' }], isOfClient: true }).message;
  expect(message('miss')).toMatch(/mock client went wrong: no handler answers a request of the server\./);
  expect(message('miss')).toContain('Add a handler, or mend the server.');
  const both = { findings: ['miss', 'differs'].map((kind) => ({ kind, text: '' }) as Finding), isOfClient: true };
  expect(sessionFailedError('', both).message).toContain('Add a handler, or mend the server.');
  expect(message('stray')).toContain('the server answers what nobody asked');
  expect(message('thrown')).toContain('Mend the server or the handler');
  expect(message('uncalled')).toContain('or remove the handler');
});

it('lists all where nobody has judged them', () => {
  const { message } = sessionFailedError('a.yaml', { findings: [miss, unused] });
  expect(message).toContain(miss.text);
  expect(message).toContain(unused.text);
});

it('shows no secrets, neither in a text nor in the values that it compares', () => {
  const secret = `${'ghp_'}1a2B3c4D5e6F7g8H9i0JkLmNoPqRsTuVwXyZ`;
  const finding: Finding = {
    kind: 'differs',
    text: `It said ${secret}.\nIts password=correct-horse-9.`,
    expected: { params: { token: '[redacted:token:1]' } },
    actual: { params: { token: secret, note: 'correct-horse-9', count: 3 } },
  };
  const { message, expected, actual } = sessionFailedError('a.yaml', { findings: [finding] });
  expect(message).toContain('  It said [redacted:github-token:1].\n  Its password=[redacted:password:1].');
  expect(expected).toEqual(finding.expected);
  expect(JSON.stringify(actual)).toBe(
    '{"params":{"token":"[redacted:github-token:1]","note":"[redacted:password:1]","count":3}}',
  );
});

it('says at a time limit that later answers wait behind a late one, and only after latency', () => {
  const fired = (fault: string) => ({ fault, from: 'server', message: 4, method: 'tools/call' }) as unknown as Fired;
  const note = (fault: string) => notesOnFaults({ hasTimedOut: true }, [fired(fault)]).join();
  expect(note('latency')).toContain('all later answers of the server wait, too: their order is kept. To withhold one');
  expect(note('drop')).toContain("shorter than the test's.");
  expect(note('drop')).not.toContain('later answers');
  expect(notesOnFaults({}, [fired('latency')])).toEqual([]);
});
