import { expect, it } from 'vitest';
import { sessionFailedError } from '../../../src/adapters/test/session-failed-error.ts';
import type { Finding } from '../../../src/replay/findings/finding.ts';
import { replayOutcome } from '../../../src/replay/findings/replay-outcome.ts';

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

it('lists all where nobody has judged them', () => {
  const { message } = sessionFailedError('a.yaml', { findings: [miss, unused] });
  expect(message).toContain(miss.text);
  expect(message).toContain(unused.text);
});
