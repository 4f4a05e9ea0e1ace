import type { Frame } from '../../src/channel/frame.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import type { Finding } from '../../src/replay/findings/finding.ts';
import type { PlaybackContext, SessionPlayer } from '../../src/replay/http/create-session-player.ts';
import { type HttpCassette, httpCassette } from '../../src/replay/http/http-cassette.ts';
import { cassette } from '../support/conversation.ts';

/** A cassette named `file`. */
export function named(file: string, ...frames: Frame[]): HttpCassette {
  return httpCassette({ ...cassette(...frames), file });
}

/** What performs, and a client that the test speaks for. */
export function performed(make: (craft: PlaybackContext) => SessionPlayer) {
  const clock = new ManualClock();
  const said: [stream: number | undefined, message: unknown][] = [];
  const findings: Finding[] = [];
  const performer = make({
    clock,
    send(frame) {
      if (frame.kind === 'message') said.push([frame.stream, frame.json.value]);
    },
    report: (finding) => void findings.push(finding),
  });
  return {
    performer,
    findings,
    /** What was said since anybody looked. */
    said: () => said.splice(0),
    /** Says `message` in the exchange `stream`, and hears what is said then, in which exchange. */
    asks(stream: number, message: unknown) {
      performer.receive(new JsonText(JSON.stringify(message)), stream);
      clock.endTurn();
      clock.advance(1);
      return said.splice(0);
    },
  };
}
