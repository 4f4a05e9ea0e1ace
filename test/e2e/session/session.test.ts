import { beforeAll, describe, expect, it } from 'vitest';
import { everything } from '../../support/command.ts';
import { runSession } from './run.ts';
import { connectSdk1 } from './sdk-1.ts';
import { steps } from './steps.ts';
import { type Transcript, withoutClock } from './transcript.ts';

describe('a session of every kind of traffic with server-everything', () => {
  let direct: Transcript;
  beforeAll(async () => {
    direct = await runSession(await connectSdk1(everything), steps);
  });

  it('goes the same whenever it is held', async () => {
    const again = await runSession(await connectSdk1(everything), steps);
    expect(withoutClock(again)).toEqual(withoutClock(direct));
  });
});
