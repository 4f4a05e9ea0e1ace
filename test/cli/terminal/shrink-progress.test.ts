import { expect, it } from 'vitest';
import { ShrinkProgress } from '../../../src/cli/terminal/shrink-progress.ts';

function progress(isTTY: boolean) {
  const [written, said]: [string[], string[]] = [[], []];
  const terminal = { isTTY, columns: 60, write: (text: string) => void written.push(text) };
  return { written, said, shown: new ShrinkProgress(terminal, (text) => void said.push(text)) };
}

it('a terminal has one line, which changes and goes', () => {
  const { written, said, shown } = progress(true);
  shown.running(1, 62);
  shown.found({ messages: 7, messagesBefore: 62, runs: 2 });
  shown.running(2, 7);
  shown.finish();
  expect(written.map((text) => text.replaceAll('\r', '').replaceAll('\u001b[K', ''))).toEqual([
    '1 run: 62 messages left',
    '2 runs: 7 messages left',
    '',
  ]);
  expect(said).toEqual([]);
});

it('a log has a line for each cassette with fewer messages', () => {
  const { written, said, shown } = progress(false);
  shown.running(1, 62);
  for (const messages of [62, 30, 30, 7]) shown.found({ messages, messagesBefore: 62, runs: 3 });
  shown.finish();
  expect(said).toEqual(['30 of 62 messages left after 3 runs', '7 of 62 messages left after 3 runs']);
  expect(written).toEqual([]);
});

it('the longest time of a search is said, in a log and on a terminal', () => {
  for (const isTTY of [true, false]) {
    const { said, shown } = progress(isTTY);
    shown.expected(64_000);
    expect(said).toEqual(['the search and its last runs take 64 s at most, about: --budget sets it']);
  }
});
