import type { Cassette } from '../../cassette/cassette.ts';
import { systemClock as clock, type Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { measureProcessDelay } from '../../load/duration-histogram.ts';
import type { LoadProgress } from '../../load/load-progress.ts';
import { LoadStats } from '../../load/load-stats.ts';
import { type Arrivals, type LoadShape, type LoadShare, playSessions } from '../../load/session-arrivals.ts';
import { unrecordedMethods, withoutUnrecordedNote } from '../../load/unrecorded-notifications.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { SecretSource } from '../../redact/replace/restore-secrets.ts';
import { compareSession } from '../../verify/compare/compare-session.ts';
import { liveRedaction } from '../../verify/compare/equal-placeholders.ts';
import { playToLiveServer } from '../../verify/run/play-to-live-server.ts';
import { liveServerConnector } from '../options/connect-live-server.ts';
import { faultLayerFor } from '../options/fault-layer.ts';
import type { GivenHeaders } from '../options/header-options.ts';
import { givenIgnores, type IgnoreOptions } from '../options/ignore-options.ts';
import { hasRules, type RedactionOptions } from '../options/redaction-options.ts';
import { withSecrets } from '../options/restore-secrets-from-env.ts';
import { adviseOnPlaceholder, OWN_RULES_ADVICE } from '../verify/placeholder-advice.ts';

/** What a load plays, and to which server. Node can clone it for a worker thread. */
export interface LoadTask {
  /** Paths of the cassettes. */
  files: readonly string[];
  /** Words of the command line after the cassettes: the command of the server. */
  words: readonly string[];
  options: RedactionOptions & IgnoreOptions & { http?: string; ca?: string; strict?: boolean };
  given: GivenHeaders;
  secrets: SecretSource;
  /** Maximum wait for an answer or a notification. */
  patience: Milliseconds;
  shape: LoadShape;
}

export interface LoadShareOptions {
  task: LoadTask;
  /** The cassettes of the task. */
  cassettes: readonly Cassette[];
  share: LoadShare;
  redactor: Redactor;
  progress: LoadProgress;
  /** Aborting ends the sessions. */
  aborted: AbortSignal;
  /** Called with the first answer. */
  answered(): void;
}

/** Results of a share of a load. */
export interface LoadShareResult {
  stats: LoadStats;
  arrivals: Arrivals;
  /** Time between the first session's start and the last session's end. */
  duration: Milliseconds;
  /** 90th percentile of this thread's event loop delay. */
  processDelay: Milliseconds;
}

/**
 * Prepares a share of a load, and returns the function that plays it.
 * @throws McpRecordError SECRETS_MISSING, USAGE_ONE_SERVER
 */
export async function prepareLoadShare(options: LoadShareOptions): Promise<() => Promise<LoadShareResult>> {
  const { task, share, redactor, progress, aborted } = options;
  const { given, secrets, patience } = task;
  const advice = hasRules(task.options) ? '' : ` ${OWN_RULES_ADVICE}`;
  const cassettes = await Promise.all(
    options.cassettes.map((cassette) => withSecrets(cassette, 'client', secrets, advice)),
  );
  const { ignore } = givenIgnores(task.options);
  const { strict = false } = task.options;
  const connection = { ...task.options, headers: given.headers, command: 'load' };
  const start = liveServerConnector(task.words, connection, await faultLayerFor(undefined));
  const redaction = liveRedaction(redactor, secrets, adviseOnPlaceholder, { env: process.env, ...given });
  const stats = new LoadStats();
  let began = clock.now();
  // Each worker plays all cassettes, however many there are.
  let turn = share.index;

  /** Plays a session. Resolves to whether the server was reached. */
  const play = async (ended: AbortSignal): Promise<boolean> => {
    const number = progress.startSession();
    const cassette = cassettes[turn++ % cassettes.length]!;
    const { file } = cassette;
    const answers = new Map<number, Milliseconds>();
    try {
      const driven = await playToLiveServer({
        start,
        cassette,
        clock,
        patience,
        ignore,
        redaction,
        aborted: ended,
        answered: ({ request }) => {
          answers.set(request.line, clock.now() - began);
          options.answered();
        },
      });
      const compared = compareSession({ file, driven, ignore, redaction, isOneOfMany: true, strict });
      stats.add(number, withoutUnrecordedNote(compared), { answers, end: clock.now() - began });
      if (!strict) stats.addUnrecorded(unrecordedMethods(driven));
      if (driven.streams) stats.addStreams(driven.streams);
      return driven.exchanges.length > 0 || ended.aborted;
    } catch (error) {
      // If even the first session finds no server, there is nothing to load.
      if (!(error instanceof McpRecordError) || progress.total().sessions === 0) throw error;
      stats.addUnreached(number, file, `${error.problem.what}: ${error.problem.why}`, clock.now() - began);
      return false;
    } finally {
      progress.update(share.index, stats.counts);
    }
  };

  return async () => {
    began = clock.now();
    const processDelay = measureProcessDelay();
    const arrivals = await playSessions({ ...task.shape, share, play, clock, aborted });
    return { stats, arrivals, duration: clock.now() - began, processDelay: processDelay() };
  };
}
