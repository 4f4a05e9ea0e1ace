import { expect, it } from 'vitest';
import { movesOf } from '../../../src/cassette/correlate/session-entries.ts';
import {
  lateFinding,
  missingFinding,
  unsentFinding,
  unusedFinding,
} from '../../../src/replay/findings/finding.ts';
import {
  call,
  client,
  clientCloses,
  notification,
  result,
  server,
  tape,
} from '../../support/conversation.ts';

const moves = movesOf(
  tape(client(call(0, 'a')), server(result(0, 'A')), server(notification('x')), clientCloses).events,
);
const [asked, answered, told, closed] = moves;

it('what did not come names both lines: what was waited for, and what waited', () => {
  expect(missingFinding(closed!, answered!, 'tape.yaml')).toMatchObject({
    kind: 'missing',
    text: 'tape.yaml:2 response did not come in time: the end of line 4 went on without it.',
    move: answered,
  });
  expect(missingFinding(asked!, told!, 'tape.yaml').text).toContain(
    'tape.yaml:3 notifications/x did not come in time: tools/call "a" of line 1',
  );
});

it('one is said as one, several as several, and many are counted', () => {
  const unused = (count: number) => unusedFinding(Array(count).fill(asked), 'tape.yaml').text;
  const line = '\n    tape.yaml:1 tools/call "a"';
  expect(unused(1)).toBe(`1 recorded request never came:${line}`);
  expect(unused(2)).toBe(`2 recorded requests never came:${line}${line}`);
  expect(unused(7)).toBe(`7 recorded requests never came:${line.repeat(5)}\n    and 2 more`);
});

it('what could not be sent, and what came too late, say so', () => {
  expect(unsentFinding([answered!], 'tape.yaml')).toMatchObject({
    kind: 'unsent',
    text: '1 recorded message could not be sent:\n    tape.yaml:2 response',
  });
  expect(lateFinding('"x"')).toEqual({
    kind: 'late',
    text: 'The cancel of request "x" was not sent: the live answer came first.',
  });
});
