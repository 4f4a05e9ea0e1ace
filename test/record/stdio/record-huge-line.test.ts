import { expect, it } from 'vitest';
import { framesOf, freeNames, temporaryFolder } from '../../support/cassette.ts';
import { fixture, Running, recorder, residentBytes } from '../../support/process.ts';

const newFile = freeNames(temporaryFolder());

it('bytes of a line of 100 MB pass with memory flat, and come back from the cassette', async () => {
  const file = newFile();
  await using running = new Running(recorder(file, fixture('long-line.js', '100')));
  let bytes = 0;
  let most = 0;
  running.child.stdout.on('data', (data: Buffer) => {
    bytes += data.length;
    most = Math.max(most, residentBytes(running.child.pid!));
  });
  running.child.stderr.resume();
  running.child.stdin.end();
  await running.ended;
  expect(bytes).toBe(100 * 1024 * 1024 + 1);
  expect(most).toBeLessThan(120 * 1024 * 1024);
  const line = framesOf(file).find(({ kind }) => kind === 'line');
  expect(line?.kind === 'line' && line.data.length).toBe(100 * 1024 * 1024);
});
