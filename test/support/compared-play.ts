import type { Cassette } from '../../src/cassette/cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { expectationsOf, isFailure } from '../../src/replay/findings/failure-policy.ts';
import type { Finding } from '../../src/replay/findings/finding.ts';
import { planClient } from '../../src/replay/plan/client-plan.ts';
import { planServer } from '../../src/replay/plan/server-plan.ts';
import { Player } from '../../src/replay/player/player.ts';
import { stripHttp } from '../../src/replay/prepare/strip-http.ts';
import { failedSteps } from '../../src/text-report/outcome-model.ts';
import { compareSession } from '../../src/verify/compare/compare-session.ts';
import type { LiveEvents, LiveServer } from '../../src/verify/run/live-server-types.ts';
import { runRecordedClient } from '../../src/verify/run/run-recorded-client.ts';

/** Milliseconds, then seconds, in which nothing is said: the session is over. Longer than any patience. */
const QUICK_TURNS = 20;
const IDLE_TURNS = 60;
const PATIENCE = 5_000;

/** What a run fails for, and what the live side said in it. */
export interface Compared {
  failures: readonly unknown[];
  said: readonly string[];
}

/** Plays the client of one cassette to the mock server of another, and gives what a strict replay fails for. */
export function replayedTo(client: Cassette, server: Cassette): Compared {
  const said: string[] = [];
  const clock = new ManualClock();
  const inbox: Frame[] = [];
  const findings: Finding[] = [];
  const common = { clock, send: (frame: Frame) => void inbox.push(frame) };
  const [ours, theirs] = [stripHttp(server), stripHttp(client)];
  const mock = new Player({
    ...common,
    file: ours.file,
    plan: planServer(ours.events),
    report: (finding) => void findings.push(finding),
  });
  const live = new Player({
    ...common,
    file: theirs.file,
    plan: planClient(theirs.events),
    patience: PATIENCE,
    report() {},
  });
  mock.start();
  live.start();
  for (let idle = 0; idle < IDLE_TURNS; ) {
    const frame = inbox.shift();
    if (frame?.kind === 'message' && frame.from === 'client') said.push(frame.json.text);
    if (frame) (frame.from === 'client' ? mock : live).receive(frame);
    else clock.advance(idle++ < QUICK_TURNS ? 1 : 1_000);
    if (frame) idle = 0;
  }
  mock.finish();
  return { failures: findings.filter(({ kind }) => isFailure(kind, expectationsOf(true))), said };
}

/** Plays the client of one cassette to the server of another, and gives what verify fails for. */
export async function verifiedWith(client: Cassette, server: Cassette): Promise<Compared> {
  const clock = new ManualClock();
  const [ours, theirs] = [stripHttp(client), stripHttp(server)];
  let isOver = false;
  const said: string[] = [];
  let passed = 0;
  const driving = runRecordedClient({
    // Written for the test, with a recorder and without an end.
    cassette: { ...ours, end: 'complete' },
    server: playing(theirs, clock, (text) => {
      passed++;
      if (text !== undefined) said.push(text);
    }),
    clock,
    patience: PATIENCE,
  }).finally(() => {
    isOver = true;
  });
  for (let idle = 0, before = 0; !isOver; ) {
    clock.advance(idle++ < QUICK_TURNS ? 1 : 1_000);
    await new Promise(setImmediate);
    if (passed !== before) idle = 0;
    before = passed;
  }
  const outcome = compareSession({ file: ours.file, driven: await driving, strict: true });
  return { failures: failedSteps(outcome), said };
}

/** The server of a cassette, as one that lives. */
function playing(cassette: Cassette, clock: ManualClock, passes: (said?: string) => void): LiveServer {
  let events: LiveEvents;
  const player = new Player({
    file: cassette.file,
    plan: planServer(cassette.events),
    clock,
    send(frame) {
      passes(frame.kind === 'message' ? frame.json.text : undefined);
      if (frame.kind === 'message' || frame.kind === 'line') events.receive(frame);
    },
    report() {},
  });
  return {
    isProcess: false,
    begin(_score, told) {
      events = told;
      player.start();
    },
    send(frame) {
      passes();
      player.receive(frame);
    },
    close() {
      // What it has to say in this turn is still heard.
      clock.endOfTurn(() =>
        player.whenIdle(() => {
          player.finish();
          events.ended({ killed: false });
        }),
      );
    },
  };
}
