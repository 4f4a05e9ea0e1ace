/// <reference lib="esnext.disposable" preserve="true" />
import { existsSync } from 'node:fs';
import type { Cassette } from '../cassette/cassette.ts';
import { loadCassette } from '../cassette/read/load-cassette.ts';
import type { Channel } from '../channel/channel.ts';
import { memoryPair } from '../channel/memory-pair.ts';
import type { Fired } from '../faults/engine/fault-injector.ts';
import { type Journal, requestsOf } from '../journal/journal.ts';
import { MessageLog } from '../journal/message-log.ts';
import { type Clock, instantOf, type Milliseconds, systemClock } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import type { Ignore } from '../match/ignore-rules.ts';
import type { Request } from '../protocol/message.ts';
import type { RedactedValue } from '../record/summary/redacted-values.ts';
import { createRedactor, type RedactionRules } from '../redact/redactor.ts';
import { type Expectations, isFailure } from '../replay/findings/expectations.ts';
import type { Finding } from '../replay/findings/finding.ts';
import type { Timing } from '../replay/timing.ts';
import type { TokenRule } from '../replay/tokens/opaque-tokens.ts';
import { type FaultRule, faultyChannel, rulesFor } from './channel-faults.ts';
import { extendCassette } from './extend-cassette.ts';
import { wordedForTest } from './finding-wording.ts';
import { type Mode, type ModeAnswer, resolveMode } from './record-mode.ts';
import { passThrough, recordSession } from './record-session.ts';
import { replaySession } from './replay-session.ts';
import type { Server } from './server-target.ts';
import type { SessionBackend, SessionBackendOptions } from './session-backend.ts';
import { removeStaleRecordings } from './stale-recordings.ts';

/** Where they are absent, `onUnused` is `report`, `onDifference` is `report` in mode `new`, and all others are `fail`. */
export interface SessionOptions extends Expectations {
  /** Path of the cassette. */
  cassette: string;
  /** The live server, for every mode but `replay`. */
  server?: Server;
  /** Absent: as `MCP_RECORD` says, else `record` on an update, else `auto`. */
  mode?: Mode;
  /** Where `MCP_RECORD` and `CI` are read from. Default: the environment of the process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** The test runner was asked to update what is recorded, e.g. `vitest -u`. */
  update?: boolean;
  /** `auto` records again what is older, and only says so under `CI`. */
  expires?: Milliseconds;
  timing?: Timing;
  /** What does not count when a live request is compared with the recorded ones, beside the volatile. */
  ignore?: readonly Ignore[];
  handles?: readonly TokenRule[];
  /** `last`: every recorded answer repeats, unless its event says otherwise. Absent: calls are answered once. */
  repeat?: 'last';
  /** False: passwords and tokens are kept as they pass. Rules say what else is redacted, and what is not. */
  redact?: boolean | RedactionRules;
  /** How the two sides shall misbehave on purpose. */
  faults?: readonly FaultRule[];
  /** What the chance of faults draws from. Default: 0. */
  seed?: number;
  /** What replay and faults take their time from; a live server has its own. */
  clock?: Clock;
}

/** How a session went. */
export interface SessionOutcome {
  mode: ModeAnswer['mode'];
  findings: Finding[];
  /** Something was found that fails the run. */
  failed: boolean;
  /** Of the findings, those that fail it. Absent: none does. */
  failures?: readonly Finding[];
  /** The cassette, where this session has written it. */
  written?: string;
  /** The recording of a run that did not pass; the cassette is as it was. */
  kept?: string;
  /** What was redacted in what this session has written, by place. Absent with `redact: false`, and where nothing was written. */
  redacted?: readonly RedactedValue[];
  /** What was written, what was redacted in it, and what to do about it, as sentences. */
  notes: readonly string[];
}

/** A client's session with a server: the recorded one, the live one, or both. */
export interface Session extends AsyncDisposable {
  mode: ModeAnswer['mode'];
  /** What the person should hear of: the cassette's age, and what reading it had to leave out. */
  warnings: readonly string[];
  /** The client's end, for one client: whole messages, and the frames that end a session. */
  channel: Channel;
  /** The requests that the client has made, in order. */
  received(method?: string): Request[];
  /** What the client has sent, to be asserted on and waited for. */
  journal: Journal;
  /**
   * From now on these faults happen, in place of those before; they count messages from here. None: all passes.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  misbehave(faults: readonly FaultRule[]): void;
  /** The faults that have happened, in order. */
  fired: readonly Fired[];
  /** Ends the session; what was recorded becomes the cassette if the run passed. Later calls give the same outcome. */
  finish(run: { passed: boolean }): Promise<SessionOutcome>;
}

/**
 * Opens a session in the mode that holds here. Going out of scope without `finish` counts as a run that did not pass.
 * @throws McpRecordError USAGE_UNKNOWN_MODE, CASSETTE_MISSING, MODE_NEEDS_SERVER, COMMAND_NOT_FOUND,
 *   COMMAND_NOT_EXECUTABLE, USAGE_BAD_URL, and those of `loadCassette`: a damaged cassette is never taken for a missing one
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { cassette: file, env = process.env, update, expires, clock = systemClock, redact = true } = options;
  const cassetteFile = new CassetteAtPath(file);
  const { mode, warning } = resolveMode({
    option: options.mode,
    env,
    update,
    exists: cassetteFile.exists,
    recorded: () => cassetteFile.recorded,
    now: clock.date(),
    expires,
  });
  const findings: Finding[] = [];
  let backend: SessionBackend | undefined;
  const report = (finding: Finding) => void findings.push(wordedForTest(finding));
  const [near, far] = memoryPair();
  const failed = ({ message: text }: McpRecordError) => report({ kind: 'thrown', text });
  const onFired = (fired: Fired) => backend?.faulted?.(fired);
  const faults = faultyChannel(far, { seed: options.seed ?? 0, clock, onFired, failed });
  faults.use(rulesFor(options.faults ?? [], 'memory'));
  const rules = typeof redact === 'object' ? redact : {};
  const redactor = redact ? () => createRedactor({ env: process.env, ...rules }) : undefined;
  // A live server lives in the time of everybody.
  const time = mode === 'replay' ? clock : systemClock;
  const client = faults.channel;
  backend = await start(mode, cassetteFile, { ...options, file, clock: time, redactor, client, report });

  const received = new MessageLog(clock);
  let outcome: Promise<SessionOutcome> | undefined;
  const { onMiss = 'fail', onUnused = 'report', onUnfired = 'fail' } = options;
  // What is new is why somebody asks for that mode.
  const { onDifference = mode === 'new' ? 'report' : 'fail' } = options;
  const failing = () => findings.filter(({ kind }) => isFailure(kind, { onMiss, onUnused, onDifference, onUnfired }));
  const isFailing = () => failing().length > 0;
  const end = async (passed: boolean): Promise<SessionOutcome> => {
    faults.stop();
    for (const text of faults.unfired) report({ kind: 'unfired', text });
    const left = await backend?.end(() => passed && !isFailing());
    if (options.server && passed && !isFailing()) removeStaleRecordings(file);
    const failures = failing();
    const failed = failures.length > 0;
    return { mode, findings, failed, ...(failed && { failures }), notes: [], ...left };
  };
  const finish = ({ passed }: { passed: boolean }): Promise<SessionOutcome> => {
    outcome ??= end(passed);
    return outcome;
  };
  return {
    mode,
    warnings: [...(warning ? [`${file}: ${warning}.`] : []), ...cassetteFile.warnings],
    channel: received.tapped(near),
    received: (method) => requestsOf(received.journal, method),
    journal: received.journal,
    misbehave: (rules) => faults.use(rulesFor(rules, 'memory')),
    fired: faults.fired,
    finish,
    async [Symbol.asyncDispose]() {
      await finish({ passed: false });
    },
  };
}

function start(
  mode: ModeAnswer['mode'],
  cassetteFile: CassetteAtPath,
  options: SessionBackendOptions,
): Promise<SessionBackend> {
  switch (mode) {
    case 'replay':
      return replaySession(cassetteFile.load(), options);
    case 'new':
      return extendCassette(cassetteFile.load(), options);
    case 'record':
      return recordSession(options);
    case 'passthrough':
      return passThrough(options);
  }
}

/** The cassette's file, read once, and only if somebody asks what is in it. */
class CassetteAtPath {
  readonly #file: string;
  #cassette: Cassette | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  get exists(): boolean {
    return existsSync(this.#file);
  }

  get recorded(): Date | undefined {
    const { recorded } = this.load().header;
    return recorded === undefined ? undefined : instantOf(recorded);
  }

  get warnings(): readonly string[] {
    return this.#cassette?.warnings ?? [];
  }

  load(): Cassette {
    if (!this.exists) throw cassetteMissing(this.#file);
    this.#cassette ??= loadCassette(this.#file);
    return this.#cassette;
  }
}

/** What it means that there is no cassette to replay. */
export function cassetteMissing(file: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_MISSING',
    what: `Cannot replay ${file}`,
    why: 'there is no such cassette, and this mode does not record',
    next: 'Record it on your machine, without CI and with MCP_RECORD=auto or record, and commit it.',
  });
}
