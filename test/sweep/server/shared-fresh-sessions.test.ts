import { expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { SHARING_MAX, SharedFreshSessions } from '../../../src/sweep/server/shared-fresh-sessions.ts';

const cassette = (file: string) => ({ file }) as Cassette;
const [one, two] = [cassette('one'), cassette('two')];

function sharing(points: readonly string[], all = 100) {
  const played: string[] = [];
  const sessions = new SharedFreshSessions<string, string>(points, {
    cassetteOf: (point) => (point.endsWith('1') ? one : two),
    async play({ file }) {
      played.push(file);
      return `${file}, session ${played.length}`;
    },
    all,
  });
  return { sessions, played };
}

it('is played once, when all points of a cassette have been played', async () => {
  const { sessions, played } = sharing(['leave@1', 'leave@2', 'junk@1', 'junk@2']);
  expect(sessions.points).toEqual(['leave@1', 'junk@1', 'leave@2', 'junk@2']);
  const [first, other] = [sessions.after('leave@1'), sessions.after('leave@2')];
  await Promise.resolve();
  expect(played).toEqual([]);
  expect([await sessions.after('junk@1'), await first]).toEqual(['one, session 1', 'one, session 1']);
  expect([await sessions.after('junk@2'), await other]).toEqual(['two, session 2', 'two, session 2']);
});

it('is shared by no more points than run at once, because points that wait keep their places', async () => {
  const { sessions } = sharing(['a1', 'b1', 'c1'], 2);
  expect(await Promise.all([sessions.after('a1'), sessions.after('b1')])).toEqual(['one, session 1', 'one, session 1']);
  expect(await sessions.after('c1')).toBe('one, session 2');
});

it('is shared by a limited number of points, of which each runs alone if it is bad', async () => {
  const points = Array.from({ length: SHARING_MAX + 1 }, (_, n) => `p${n}-1`);
  const { sessions, played } = sharing(points);
  await Promise.all(points.map((point) => sessions.after(point)));
  expect(played).toHaveLength(2);
});

it('does not wait for a point that is left out', async () => {
  const { sessions } = sharing(['a1', 'b1']);
  const session = sessions.after('a1');
  sessions.leaveOut('b1');
  expect(await session).toBe('one, session 1');
});

it('rejects for each of its points', async () => {
  const sessions = new SharedFreshSessions(['a', 'b'], {
    cassetteOf: () => one,
    play: () => Promise.reject(new Error('nobody is there')),
    all: 2,
  });
  const both = Promise.allSettled([sessions.after('a'), sessions.after('b')]);
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
