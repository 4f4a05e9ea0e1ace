import { usesMethod } from '../cassette/uses-method.ts';
/// <reference lib="esnext.disposable" preserve="true" />

import { existsSync } from 'node:fs';
import type { Cassette, CassetteSource } from '../cassette/cassette.ts';
import { checkCassetteSource } from '../cassette/check-cassette-source.ts';
import { loadCassette } from '../cassette/read/load-cassette.ts';
import type { Channel } from '../channel/channel.ts';
import { memoryPair } from '../channel/memory-pair.ts';
import type { Counters, Fired } from '../faults/engine/fault-injector.ts';
import { type Journal, requestsOf } from '../journal/journal.ts';
import { MessageLog } from '../journal/message-log.ts';
import { type Clock, instantOf, type Milliseconds, systemClock } from '../kernel/clock.ts';
import type { McpRecordError } from '../kernel/errors.ts';
import type { Ignore } from '../match/ignore-rules.ts';
import type { JsonText } from '../protocol/json-text.ts';
import type { Request } from '../protocol/message.ts';
import type { RepeatOption } from '../protocol/method-table.ts';
import { projectRedactor } from '../record/redact-file/project-redactor.ts';
import type { RedactedValue } from '../record/summary/redacted-values.ts';
import type { RedactionRules } from '../redact/redactor.ts';
import { type Expectations, isFailure } from '../replay/findings/failure-policy.ts';
import type { Finding } from '../replay/findings/finding.ts';
import type { Timing } from '../replay/timing.ts';
import type { TokenRule } from '../replay/tokens/token-locations.ts';
import { credentialSources, type Server } from './connect-to-server.ts';
import { extendCassette } from './extend-cassette.ts';
import {
  type ChannelFaultOptions,
  type FaultRule,
  faultyChannel,
  parseFaultRuleList,
  parseMockServerFaults,
} from './faulty-channel.ts';
import { passThrough, recordSession, removeStaleRecordings } from './record-session.ts';
import { replaySession } from './replay-server.ts';
import {
  cassetteMissingError,
  type Mode,
  type ResolvedMode,
  resolveMode,
  withMissingCassette,
} from './resolve-mode.ts';
import { rewordForTest } from './reword-ignore-advice.ts';
import type { SessionBackend, SessionBackendOptions } from './session-backend.ts';
import { checkTestEnd, validateApiOptions } from './validate-api-options.ts';

/**
 * Options of a session. Expectations default to `fail`, except `report` for `onUnused`, and for `onDifference` in mode
 * `new`.
 */
export interface SessionOptions extends Expectations {
  /** Path of the cassette, or a cassette value for replay only. */
  cassette: CassetteSource;
  /** The live server. Required for every mode except `replay`. */
  server?: Server;
  /** Default: the mode of `MCP_RECORD`, else `record` on an update, else `auto`. */
  mode?: Mode;
  /** Source of the variables `MCP_RECORD` and `CI`. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Whether the test runner was asked to update recordings, e.g. `vitest -u`. */
  update?: boolean;
  /**
   * Maximum age of a cassette. In mode `auto`, older cassettes are recorded again; under `CI` a warning is reported
   * instead.
   */
  expires?: Milliseconds;
  timing?: Timing;
  /** Ignore rules for comparing live requests with recorded ones, in addition to volatile values. */
  ignore?: readonly Ignore[];
  handles?: readonly TokenRule[];
  /**
   * Reuse of recorded answers, for all methods or by method: `once`, `last` or `cycle`. Default: `once` for calls,
   * `last` for lists and polls.
   */
  repeat?: RepeatOption;
  /** False keeps secrets in the recording. Rules add values to redact or to keep. */
  redact?: boolean | RedactionRules;
  /** Faults to inject into the frames of both sides. */
  faults?: readonly FaultRule[];
  /** Seed for the probability of faults. Default: 0. */
  seed?: number;
  /** Clock of the replay and of faults. A live server always uses the system clock. */
  clock?: Clock;
}

/** An interceptor that answers a client before the recorded server. */
export interface SessionInterceptor {
  /**
   * Puts the interceptor before a server. `client` is the server's end of the channel to the client. `ended` tells that a
   * fault has ended the session.
   */
  channel(client: Channel, report: (finding: Finding) => void): { channel: Channel; ended(): void };
  /** As {@link PlayerOptions.isHandled}. */
  isHandled(recorded: JsonText): boolean;
  /** As {@link Player.faulted}. */
  faulted(fired: Fired): void;
}

/** Parts shared by all sessions of a mock server. */
export interface SessionSurroundings {
  /** Interceptor that answers before the cassette. */
  interceptor?: SessionInterceptor;
  /** Counters of fault rules that count over several sessions. */
  counters?: Counters;
  /** As {@link PlayerOptions.progressGap}. */
  progressGap?: Milliseconds;
  /** As {@link ChannelFaultOptions.stdio}. */
  stdio?: ChannelFaultOptions['stdio'];
  /** As {@link SessionBackendOptions.carryOver}. Default: a new recording has nothing of the replaced cassette. */
  carryOver?: SessionBackendOptions['carryOver'];
}

/** The outcome of a session. */
export interface SessionOutcome {
  mode: ResolvedMode['mode'];
  findings: Finding[];
  /** Whether any finding fails the run. */
  failed: boolean;
  /** Findings that fail the run. */
  failures: readonly Finding[];
  /** Path of the cassette, if this session changed it. */
  written?: string;
  /** Path of a failed run's recording. The cassette is unchanged. */
  kept?: string;
  /** Number of requests sent to the live server, in mode `new`. */
  asked?: number;
  /** Redacted values of the written cassette. Absent with `redact: false` or without a written cassette. */
  redacted?: readonly RedactedValue[];
  /** Sentences about the written cassette, its redacted values, and next steps. */
  notes: readonly string[];
}

/** A client's session with the recorded server, the live server, or both. */
export interface Session extends AsyncDisposable {
  mode: ResolvedMode['mode'];
  /** Warnings about the cassette's age and unreadable events. */
  warnings: readonly string[];
  /** The client's end of the channel, for one client. It carries whole messages and the frames that end a session. */
  channel: Channel;
  /** Returns the client's requests, in order. */
  received(method?: string): Request[];
  /** The client's messages, for assertions and waits. */
  journal: Journal;
  /**
   * Replaces all faults. The new ones count messages from here. An empty list removes all faults.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  misbehave(faults: readonly FaultRule[]): void;
  /** The injected faults, in order. */
  fired: readonly Fired[];
  /** Ends the session. A recording becomes the cassette if the run passed. Later calls return the same outcome. */
  finish(run: { passed: boolean }): Promise<SessionOutcome>;
}

/**
 * Opens a session in the resolved mode. Disposal without `finish` counts as a failed run.
 * @throws McpRecordError USAGE_UNKNOWN_MODE, CASSETTE_MISSING, MODE_NEEDS_SERVER, COMMAND_NOT_FOUND,
 * COMMAND_NOT_EXECUTABLE, USAGE_BAD_URL, and those of `loadCassette`: a damaged cassette is never treated as missing
 */
export async function openSession(
  options: SessionOptions,
  { interceptor, counters, progressGap, stdio, carryOver }: SessionSurroundings = {},
): Promise<Session> {
  validateApiOptions(options, 'session');
  checkCassetteSource(options.cassette);
  const { cassette, env = process.env, update, expires, clock = systemClock, redact = true } = options;
  const isValue = typeof cassette !== 'string';
  const file = isValue ? cassette.file : cassette;
  const cassetteFile = new CassetteAtPath(file, options.server !== undefined, isValue ? cassette : undefined);
  const { mode, warning } = resolveMode({
    option: isValue ? 'replay' : options.mode,
    env,
    update,
    exists: cassetteFile.exists,
    recorded: () => cassetteFile.recorded,
    now: clock.date(),
    expires,
  });
  const findings: Finding[] = [];
  let backend: SessionBackend | undefined;
  const report = (finding: Finding) => void findings.push(rewordForTest(finding));
  const [near, far] = memoryPair();
  const failed = ({ message: text }: McpRecordError) => report({ kind: 'thrown', text });
  const onFired = (fired: Fired) => {
    interceptor?.faulted(fired);
    backend?.faulted?.(fired);
  };
  const faults = faultyChannel(far, {
    ...{ seed: options.seed ?? 0, counters, clock, onFired, failed },
    exitsWithClient: mode === 'replay',
    stdio,
    ended: () => intercepted?.ended(),
  });
  const parseFaults = mode === 'replay' ? parseMockServerFaults : parseFaultRuleList;
  const transport = stdio ? 'stdio' : 'memory';
  const usesRecorded = (method: string) => cassetteFile.exists && usesMethod([cassetteFile.load()], method);
  const parsed = (rules: readonly FaultRule[]) => parseFaults(rules, transport, usesRecorded);
  faults.use(parsed(options.faults ?? []));
  const rules = typeof redact === 'object' ? redact : {};
  const redactor = redact ? () => projectRedactor({ ...credentialSources(options.server), ...rules }) : undefined;
  // A live server runs in real time.
  const time = mode === 'replay' ? clock : systemClock;
  const intercepted = interceptor?.channel(faults.channel, report);
  const client = intercepted?.channel ?? faults.channel;
  const { isHandled } = interceptor ?? {};
  const given = { ...(isHandled && { isHandled }), ...(progressGap !== undefined && { progressGap }) };
  const served = { ...options, file, clock: time, redactor, client, report, carryOver, ...given };
  backend = await start(mode, cassetteFile, served).catch((error) => {
    throw mode === 'record' && !cassetteFile.exists ? withMissingCassette(error, file) : error;
  });

  const received = new MessageLog(clock);
  let outcome: Promise<SessionOutcome> | undefined;
  const { onMiss = 'fail', onUnused = 'report', onUnfired = 'fail' } = options;
  // Mode `new` is for changed clients, so differences are expected.
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
    return { mode, findings, failed, failures, notes: [], ...left };
  };
  const finish = async (run: { passed: boolean }): Promise<SessionOutcome> => {
    checkTestEnd(run);
    outcome ??= end(run.passed);
    return outcome;
  };
  return {
    mode,
    warnings: [...(warning ? [`${file}: ${warning}.`] : []), ...cassetteFile.warnings],
    channel: received.tap(near),
    received: (method) => requestsOf(received.journal, method),
    journal: received.journal,
    misbehave: (rules) => faults.use(parsed(rules)),
    fired: faults.fired,
    finish,
    async [Symbol.asyncDispose]() {
      await finish({ passed: false });
    },
  };
}

function start(
  mode: ResolvedMode['mode'],
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

/** Loads a cassette file on demand, at most once. */
class CassetteAtPath {
  readonly #file: string;
  readonly #hasServer: boolean;
  #cassette: Cassette | undefined;

  constructor(file: string, hasServer: boolean, cassette?: Cassette) {
    this.#file = file;
    this.#hasServer = hasServer;
    this.#cassette = cassette;
  }

  get exists(): boolean {
    return this.#cassette !== undefined || existsSync(this.#file);
  }

  get recorded(): Date | undefined {
    const { recorded } = this.load().header;
    return recorded === undefined ? undefined : instantOf(recorded);
  }

  get warnings(): readonly string[] {
    return this.#cassette?.warnings ?? [];
  }

  load(): Cassette {
    if (!this.exists) throw cassetteMissingError(this.#file, this.#hasServer);
    this.#cassette ??= loadCassette(this.#file);
    return this.#cassette;
  }
}
