import type { Cassette, CassetteEvent } from '../cassette/cassette.ts';
import type { Channel } from '../channel/channel.ts';
import type { Frame } from '../channel/frame.ts';
import type { Fired } from '../faults/engine/fault-injector.ts';
import type { Clock, Milliseconds } from '../kernel/clock.ts';
import type { Ignore, Normalize } from '../match/ignore-rules.ts';
import type { RepeatOption } from '../protocol/method-table.ts';
import type { Redactor } from '../redact/redactor.ts';
import { hasRedactedMessages, maskSecrets } from '../redact/replace/mask-for-compare.ts';
import { type Finding, reportDefaultsOnce } from '../replay/findings/finding.ts';
import { hollowArgumentFindings } from '../replay/findings/hollow-arguments.ts';
import { unplayableFindings } from '../replay/findings/unplayable-findings.ts';
import type { SecretBindings } from '../replay/match/secret-bindings.ts';
import { planServer } from '../replay/plan/server-plan.ts';
import { Player } from '../replay/player/player.ts';
import type { PlayedRun, PlayerOptions } from '../replay/player/player-options.ts';
import { stripHttp } from '../replay/prepare/strip-http.ts';
import type { Timing } from '../replay/timing.ts';
import type { TokenRule } from '../replay/tokens/token-locations.ts';
import type { SessionBackend, SessionBackendOptions } from './session-backend.ts';

export interface ReplayServerOptions
  extends Pick<PlayerOptions, 'answerMissing' | 'heard' | 'isHandled' | 'missAdvice'> {
  cassette: Cassette;
  /** Channel to the client. */
  client: Pick<Channel, 'send'>;
  clock: Clock;
  /** As {@link PlayerOptions.progressGap}. */
  progressGap?: Milliseconds;
  timing?: Timing | undefined;
  ignore?: readonly Ignore[] | undefined;
  handles?: readonly TokenRule[] | undefined;
  repeat?: RepeatOption | undefined;
  /** Redacts live requests for their comparison with a redacted cassette. */
  redactor?: (() => Redactor) | undefined;
  report(finding: Finding): void;
}

/** Plays the recorded server in this process. */
export class ReplayServer {
  readonly #player: Player;
  readonly #clock: Clock;
  #over = false;

  constructor({ cassette, client, timing = 'instant', handles = [], redactor, ...rest }: ReplayServerOptions) {
    const { file, events, header } = stripHttp(cassette);
    const ignore = [...(rest.ignore ?? []), ...secretMasks(events, redactor)];
    this.#clock = rest.clock;
    const say = (frame: Frame) => {
      if (!this.#over) client.send(frame);
      // A process sends nothing after its exit.
      this.#over ||= frame.kind === 'exit';
    };
    const plan = planServer(events);
    const isHandWritten = header.recorder === undefined;
    const report = reportDefaultsOnce(rest.report);
    const hollow = hollowArgumentFindings(plan.entries, rest.ignore ?? []);
    for (const finding of [...unplayableFindings({ plan, file, isHandWritten }), ...hollow]) report(finding);
    const played = { plan, file, isHandWritten, hasFaults: true };
    this.#player = new Player({ ...rest, ...played, timing, ignore, handles, send: say, report });
    this.#player.start();
  }

  hear(frame: Frame): void {
    if (!this.#over) this.#player.receive(frame);
  }

  /** As {@link Player.bindings}. */
  get bindings(): SecretBindings {
    return this.#player.bindings;
  }

  /** As {@link Player.run}. */
  get run(): PlayedRun {
    return this.#player.run;
  }

  /** As {@link Player.whenIdle}. */
  whenIdle(task: () => void): void {
    this.#player.whenIdle(task);
  }

  /** As {@link Player.faulted}. */
  faulted(fired: Fired): void {
    this.#player.faulted(fired);
  }

  /** Ends the session with a `close` of the client, and reports unused entries. */
  end(): Promise<void> {
    this.hear({ kind: 'close', at: this.#clock.now(), from: 'client' });
    return new Promise((resolve) => {
      const done = () => {
        this.#player.finish();
        resolve();
      };
      if (this.#over) done();
      else this.#player.whenIdle(done);
    });
  }
}

/** Serves a session from the cassette only, without writing files. */
export async function replaySession(cassette: Cassette, options: SessionBackendOptions): Promise<SessionBackend> {
  const replayed = new ReplayServer({ ...options, cassette });
  options.client.listen((frame) => {
    if (frame.kind !== 'bytes') replayed.hear(frame);
  });
  return {
    faulted: (fired) => replayed.faulted(fired),
    async end() {
      await replayed.end();
      return {};
    },
  };
}

/**
 * Returns a rule that masks secrets in live messages for their comparison, or no rule if the cassette has no redacted
 * values.
 */
export function secretMasks(events: readonly CassetteEvent[], redactor: (() => Redactor) | undefined): Normalize[] {
  return redactor && hasRedactedMessages(events) ? [maskSecrets(redactor())] : [];
}
