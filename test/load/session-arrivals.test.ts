import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { type ArrivalOptions, type Arrivals, playSessions, wholeArrivals } from '../../src/load/session-arrivals.ts';

const SECOND = 1_000;
/** A load whose sessions all started in time. */
const KEPT = { late: 0, lateWithFreeClients: 0, delayMax: 0, missed: 0, missedWithFreeClients: 0 };

/** A crowd whose sessions take `takes`, on a clock that only the test moves. */
class Scene {
  readonly clock: ManualClock;
  readonly aborted = new AbortController();
  /** When each session started. */
  readonly starts: number[] = [];
  /** Numbers of the sessions that were aborted. */
  readonly broken: number[] = [];
  under = 0;
  most = 0;
  readonly ended: Promise<Arrivals>;
  arrivals: Arrivals | undefined;

  constructor(
    options: Partial<ArrivalOptions> & { takes?: number; reached?: (number: number) => boolean; on?: ManualClock },
  ) {
    const { takes = 100, reached = () => true, on = new ManualClock(), ...rest } = options;
    this.clock = on;
    const play = (aborted: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        const number = this.starts.push(this.clock.now());
        this.most = Math.max(this.most, ++this.under);
        const end = () => {
          this.under--;
          resolve(reached(number));
        };
        const callOff = this.clock.after(takes, end);
        aborted.addEventListener('abort', () => {
          callOff();
          this.broken.push(number);
          end();
        });
      });
    const all = {
      clients: 1,
      duration: SECOND,
      ramp: 0,
      clock: this.clock,
      aborted: this.aborted.signal,
      play,
      ...rest,
    };
    this.ended = playSessions(all).then((arrivals) => {
      this.arrivals = arrivals;
      return arrivals;
    });
  }

  /** Lets time pass, with what follows from each end. */
  async pass(time: number): Promise<void> {
    for (let n = 0; n < time; n += 10) {
      this.clock.advance(10);
      await new Promise(setImmediate);
    }
  }
}

describe('clients that wait for their own sessions', () => {
  it('each start the next one when the last has ended', async () => {
    const scene = new Scene({ clients: 3, takes: 250 });
    await scene.pass(1_300);
    expect(await scene.ended).toMatchObject({ started: 12, ...KEPT });
    expect(scene.most).toBe(3);
  });

  it('start in equal steps of the ramp', async () => {
    const scene = new Scene({ clients: 4, takes: 5_000, ramp: 800 });
    await scene.pass(1_000);
    expect(scene.starts).toEqual([0, 200, 400, 600]);
    expect(scene.arrivals).toBeUndefined();
    await scene.pass(5_000);
    expect(await scene.ended).toMatchObject({ started: 4 });
  });

  it('play a session to its end that has started in time', async () => {
    const scene = new Scene({ takes: 3_000 });
    await scene.pass(2_900);
    expect(scene.arrivals).toBeUndefined();
    await scene.pass(200);
    expect(await scene.ended).toMatchObject({ started: 1 });
    expect(scene.broken).toEqual([]);
  });

  it('pause for a second where the server is not reached', async () => {
    const scene = new Scene({ takes: 10, duration: 2_500, reached: () => false });
    await scene.pass(3_000);
    expect(scene.starts).toHaveLength(3);
  });
});

describe('sessions at a rate', () => {
  it('start in time, whether or not others have ended', async () => {
    const scene = new Scene({ rate: 5, clients: 100, takes: 10_000 });
    await scene.pass(1_000);
    expect(scene.starts).toEqual([0, 200, 400, 600, 800]);
    await scene.pass(10_000);
    expect(await scene.ended).toMatchObject({ started: 5, ...KEPT });
  });

  it('come at a rate that grows in the ramp', async () => {
    const scene = new Scene({ rate: 10, clients: 100, ramp: SECOND, duration: 2_000, takes: 10 });
    await scene.pass(2_100);
    const inRamp = scene.starts.filter((at) => at < SECOND).length;
    expect([inRamp, scene.starts.length - inRamp]).toEqual([5, 10]);
  });

  it('wait for a client where all are busy, and are counted', async () => {
    const scene = new Scene({ rate: 10, clients: 2, takes: 500 });
    await scene.pass(2_000);
    expect(await scene.ended).toMatchObject({ started: 4, ...KEPT, late: 2, delayMax: 300, missed: 6 });
    expect(scene.most).toBe(2);
  });
});

/** A clock of a busy process: its timers are late, by a time that may change. */
class LateClock extends ManualClock {
  lateness = 0;

  override after(delay: number, task: () => void): () => void {
    return super.after(delay + this.lateness, task);
  }
}

describe('sessions at a rate, and timers that are late', () => {
  it('are missed where they were due before the end and did not start, though clients were free', async () => {
    const on = new LateClock();
    on.lateness = 10;
    const scene = new Scene({ on, rate: 2_000, clients: 10_000, duration: 500, takes: 10 });
    await scene.pass(1_000);
    const arrivals = await scene.ended;
    expect(arrivals.started + arrivals.missed).toBe(1_000);
    expect(arrivals.missed).toBeGreaterThan(900);
    expect(arrivals).toMatchObject({
      missedWithFreeClients: arrivals.missed,
      late: arrivals.lateWithFreeClients,
      period: 510,
    });
    expect(arrivals.late).toBeGreaterThan(40);
  });

  it('are counted to the end where a timer is late once', async () => {
    const on = new LateClock();
    const scene = new Scene({ on, rate: 10, clients: 100, takes: 10 });
    await scene.pass(450);
    on.lateness = 900;
    await scene.pass(2_000);
    // Timers for 500 ms and for the end were set in time. That for 600 ms comes at 1,500 ms, after the end.
    expect(await scene.ended).toMatchObject({ started: 6, missed: 4, missedWithFreeClients: 4 });
  });

  it('have busy clients as the cause where none was free', async () => {
    const on = new LateClock();
    on.lateness = 10;
    const scene = new Scene({ on, rate: 200, clients: 2, duration: 500, takes: 10_000 });
    await scene.pass(11_000);
    expect(await scene.ended).toMatchObject({ started: 2, missed: 98, missedWithFreeClients: 0 });
  });

  it('start at the end where they were due within the time that timers may be late', async () => {
    const on = new LateClock();
    const scene = new Scene({ on, rate: 100, clients: 100, takes: 10 });
    await scene.pass(975);
    on.lateness = 15;
    await scene.pass(200);
    expect(await scene.ended).toMatchObject({ started: 100, ...KEPT });
  });

  it.each([1.1, 3, 7, 33.3, 333, 1_999])('are as many as were due, at %d a second', async (rate) => {
    const on = new LateClock();
    on.lateness = 100_000;
    const scene = new Scene({ on, rate, clients: 10_000, duration: 10_000, ramp: 100 });
    for (let n = 0; n < 2; n++) {
      on.advance(200_000);
      await new Promise(setImmediate);
    }
    const { started, missed } = await scene.ended;
    expect(started + missed).toBe(Math.ceil(rate * 9.95));
  });

  it.each([1.1, 3, 7, 33.3, 333])('are none where each started in time, at %d a second', async (rate) => {
    const scene = new Scene({ rate, clients: 10_000, duration: 10_000, takes: 1 });
    await scene.pass(11_000);
    expect(await scene.ended).toMatchObject({ ...KEPT, started: Math.ceil(Number((rate * 10).toFixed(6))) });
  });

  it('that are aborted miss what was due by then', async () => {
    const scene = new Scene({ rate: 10, clients: 2, takes: 5_000 });
    await scene.pass(550);
    scene.aborted.abort();
    expect(await scene.ended).toMatchObject({ started: 2, missed: 4, missedWithFreeClients: 0 });
  });
});

it('that is aborted starts nothing more, and ends what is under way', async () => {
  const scene = new Scene({ clients: 2, takes: 400 });
  await scene.pass(600);
  scene.aborted.abort();
  expect(await scene.ended).toMatchObject({ started: 4 });
  expect(scene.broken).toEqual([3, 4]);
});

it('that is aborted before its start starts nothing', async () => {
  const scene = new Scene({ aborted: AbortSignal.abort(), rate: 10, clients: 2 });
  expect(await scene.ended).toMatchObject({ started: 0 });
});

describe('shares of a load', () => {
  const shares = (options: Partial<ArrivalOptions>) => {
    const on = new ManualClock();
    return [0, 1, 2].map((index) => new Scene({ ...options, on, share: { index, workers: 3 } }));
  };
  const startsOf = (scenes: readonly Scene[]) => scenes.flatMap(({ starts }) => starts).sort((a, b) => a - b);

  it('start their sessions of a rate when the whole load would', async () => {
    const load = { rate: 20, ramp: 400, clients: 100 };
    const whole = new Scene(load);
    await whole.pass(1_300);
    const scenes = shares(load);
    await scenes[0]!.pass(1_300);
    expect(startsOf(scenes)).toEqual(whole.starts);
    const started = scenes.map(({ starts }) => starts.length);
    expect(Math.max(...started) - Math.min(...started)).toBeLessThanOrEqual(1);
    expect(wholeArrivals(scenes.map(({ arrivals }) => arrivals!))).toEqual(whole.arrivals);
  });

  it('divide the clients, and their ramp', async () => {
    const load = { clients: 7, ramp: 700, takes: 2_000 };
    const whole = new Scene(load);
    await whole.pass(3_300);
    const scenes = shares(load);
    await scenes[0]!.pass(3_300);
    expect(startsOf(scenes)).toEqual(whole.starts);
    expect(scenes.map(({ most }) => most)).toEqual([3, 2, 2]);
  });

  it('miss together what the whole load misses when all clients are busy', async () => {
    const load = { rate: 30, clients: 3, takes: 5_000 };
    const scenes = shares(load);
    await scenes[0]!.pass(6_500);
    const all = wholeArrivals(scenes.map(({ arrivals }) => arrivals!));
    expect(all).toMatchObject({ started: 3, missed: 27, missedWithFreeClients: 0 });
  });
});

it('whose session fails for a reason of its own fails, and ends the others', async () => {
  const clock = new ManualClock();
  const broken: number[] = [];
  let started = 0;
  const play = (aborted: AbortSignal) =>
    new Promise<boolean>((resolve, reject) => {
      const number = ++started;
      aborted.addEventListener('abort', () => resolve(broken.push(number) > 0));
      if (number === 2) clock.after(50, () => reject(new Error('a bug')));
    });
  const crowd = playSessions({
    clients: 3,
    duration: SECOND,
    ramp: 0,
    clock,
    aborted: new AbortController().signal,
    play,
  });
  clock.advance(100);
  await expect(crowd).rejects.toThrow('a bug');
  expect(broken).toEqual([1, 3]);
});

it('whose only session fails for a reason of its own fails', async () => {
  const clock = new ManualClock();
  const play = () => Promise.reject(new Error('a bug'));
  const crowd = playSessions({
    clients: 1,
    duration: SECOND,
    ramp: 0,
    clock,
    aborted: new AbortController().signal,
    play,
  });
  clock.advance(1);
  await expect(crowd).rejects.toThrow('a bug');
});
