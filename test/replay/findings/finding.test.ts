import { expect, it } from 'vitest';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import { lateFinding, missingFinding, unsentFinding, unusedFinding } from '../../../src/replay/findings/finding.ts';
import { call, cassette, client, clientCloses, notification, result, server } from '../../support/conversation.ts';

const entries = eventsToEntries(
  cassette(client(call(0, 'a')), server(result(0, 'A')), server(notification('x')), clientCloses).events,
);
const [asked, answered, told, closed] = entries;

it('what did not come names both lines: what was waited for, and what waited', () => {
  expect(missingFinding(closed!, answered!, 'cassette.yaml')).toMatchObject({
    kind: 'missing',
    text: 'cassette.yaml:2 response did not come in time: the end of line 4 went on without it.',
    entry: answered,
  });
  expect(missingFinding(asked!, told!, 'cassette.yaml').text).toContain(
    'cassette.yaml:3 notifications/x did not come in time: tools/call "a" of line 1',
  );
});

it('one is said as one, several as several, and many are counted', () => {
  const unused = (count: number) => unusedFinding(Array(count).fill(asked), 'cassette.yaml').text;
  const line = '\n    cassette.yaml:1 tools/call "a"';
  expect(unused(1)).toBe(`1 recorded request never came:${line}`);
  expect(unused(2)).toBe(`2 recorded requests never came:${line}${line}`);
  expect(unused(7)).toBe(`7 recorded requests never came:${line.repeat(5)}\n    and 2 more`);
});

it('what could not be sent, and what came too late, say so', () => {
  expect(unsentFinding([answered!], 'cassette.yaml')).toMatchObject({
    kind: 'unsent',
    text: '1 recorded message could not be sent:\n    cassette.yaml:2 response',
  });
  expect(lateFinding('"x"')).toEqual({
    kind: 'late',
    text: 'The cancel of request "x" was not sent: the live answer came first.',
  });
});
