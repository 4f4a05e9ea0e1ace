import type { Cassette } from '../../src/cassette/cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import type { Finding } from '../../src/replay/findings/finding.ts';
import { planClient } from '../../src/replay/plan/client-plan.ts';
import { planServer } from '../../src/replay/plan/server-plan.ts';
import { Player } from '../../src/replay/player/player.ts';

export interface SelfPlay {
  /** What passed between the two, in order: the cassette recorded again. */
  frames: Frame[];
  findings: Finding[];
}

/** Milliseconds, then seconds, in which nothing was said: the session is over. Shorter than any patience. */
const QUICK_TURNS = 20;
const IDLE_TURNS = 25;

/** Plays both sides of a cassette against each other, on a clock that takes no time. */
export function selfPlay(cassette: Cassette): SelfPlay {
  const clock = new ManualClock();
  const frames: Frame[] = [];
  const findings: Finding[] = [];
  const inbox: Frame[] = [];
  const common = {
    file: cassette.file,
    clock,
    send(frame: Frame) {
      frames.push(frame);
      inbox.push(frame);
    },
    report: (finding: Finding) => void findings.push(finding),
  };
  const server = new Player({ ...common, plan: planServer(cassette.events) });
  const client = new Player({ ...common, plan: planClient(cassette.events), patience: 10_000 });
  server.start();
  client.start();
  for (let idle = 0; idle < IDLE_TURNS; ) {
    const frame = inbox.shift();
    if (frame) (frame.from === 'client' ? server : client).receive(frame);
    else clock.advance(idle++ < QUICK_TURNS ? 1 : 1_000);
    if (frame) idle = 0;
  }
  server.finish();
  client.finish();
  return { frames, findings };
}

const textOf = (frame: Frame): string =>
  frame.kind === 'message' ? `${frame.from} ${frame.json.text}` : `${frame.from} ${frame.kind}`;

/** That the frame at the first position of a cassette caused the one at the second. */
export type Cause = readonly [number, number];

/**
 * How the re-recorded session differs from the cassette, as sentences; none means that it is the same session: the same
 * frames from each side, and no effect before its cause.
 */
export function deviations(cassette: Cassette, played: readonly Frame[], causes: readonly Cause[] = []): string[] {
  const expected = cassette.events.map(({ frame }) => textOf(frame));
  const actual = played.map(textOf);
  const missing = subtract(expected, actual).map((text) => `missing: ${text}`);
  const added = subtract(actual, expected).map((text) => `added: ${text}`);
  if (missing.length + added.length > 0) return [...missing, ...added];
  const place = placesOf(expected, actual);
  return causes
    .filter(([cause, effect]) => place[cause]! > place[effect]!)
    .map(([cause, effect]) => `${expected[effect]} came before its cause, ${expected[cause]}`);
}

function subtract(from: readonly string[], what: readonly string[]): string[] {
  const left = [...from];
  for (const text of what) {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}

function placesOf(expected: readonly string[], actual: readonly string[]): number[] {
  const taken = new Set<number>();
  return expected.map((text) => {
    const index = actual.findIndex((other, at) => other === text && !taken.has(at));
    taken.add(index);
    return index;
  });
}
