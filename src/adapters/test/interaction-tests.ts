import type { CassetteSource } from '../../cassette/cassette.ts';
import { checkCassetteSource, SERVER_WITHOUT_CASSETTE } from '../../cassette/check-cassette-source.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { cassetteOf } from '../../cassette/read/load-cassette.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { isRequest } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { failedSteps, type Outcome, type Step } from '../../text-report/outcome-model.ts';
import { BROKEN_OFF } from '../../verify/compare/session-end-steps.ts';
import type { TestedServer } from '../mock-client/open-server-under-test.ts';
import { callSiteOf } from '../test-end/await-forgotten-promises.ts';
import { loadOfTestedServer, serverDiffersError } from './server-differs-error.ts';
import { compareOrUpdate, type VerifyOptions } from './verify-server.ts';

/** A test for any runner: `for (const { title, run } of serverTests(cassette, server)) it(title, run)`. */
export interface ServerTest {
  /** Unique title. */
  title: string;
  /**
   * Runs the test. The first test plays the whole session. A test that runs again plays the session again. Each test
   * fails for differences in its own interaction only.
   */
  run(): Promise<void>;
  /**
   * Reason why `run` compared nothing, such as a request without a recorded answer. The test then proves nothing about
   * the server.
   */
  readonly skipped: string | undefined;
}

/**
 * Returns a test for each recorded interaction, and a last one for all other differences.
 * @throws McpRecordError OPTION_BAD_VALUE, and those of `loadCassette`
 */
export function serverTests(
  cassette: CassetteSource,
  startServer: () => TestedServer | Promise<TestedServer>,
  options: VerifyOptions = {},
): ServerTest[] {
  checkCassetteSource(cassette, SERVER_WITHOUT_CASSETTE);
  if (typeof startServer !== 'function') throw noServer(startServer);
  const withCallSite = callSiteOf(serverTests);
  let playing: Promise<{ server: TestedServer; outcome: Outcome }> | undefined;
  /** Titles of tests that have used the current playback. */
  const used = new Set<string>();
  const play = (title: string) => {
    // A retried test needs the server's current answers.
    if (used.has(title)) {
      playing = undefined;
      used.clear();
    }
    used.add(title);
    playing ??= Promise.resolve()
      .then(startServer)
      .then(async (server) => ({ server, outcome: await compareOrUpdate(cassette, server, options) }));
    return playing;
  };
  const interactions = interactionsOf(cassette);
  const lines = new Set(interactions.map(({ line }) => line));
  const check = async (title: string, isOurs: (step: Step) => boolean) => {
    const { server, outcome } = await play(title);
    const ours = outcome.steps.filter(isOurs);
    const failed = ours.filter(({ status }) => status === 'failed');
    // An unplayed interaction must fail, even if another test already reports the reason.
    const unchecked = ours.filter(({ status, headline }) => status === 'skipped' && headline === BROKEN_OFF);
    if (failed.length === 0 && unchecked.length > 0) failed.push(...unchecked, ...failedSteps(outcome));
    if (failed.length > 0) throw serverDiffersError(outcome, failed, { server, options });
    return ours.every(({ status }) => status === 'skipped') ? ours[0]?.headline : undefined;
  };
  const testOf = (title: string, isOurs: (step: Step) => boolean): ServerTest => {
    let skipped: string | undefined;
    return {
      title,
      get skipped() {
        return skipped;
      },
      async run() {
        try {
          skipped = await check(title, isOurs);
        } catch (error) {
          throw withCallSite(error);
        }
      },
    };
  };
  return [
    ...interactions.map(({ title, line }) => testOf(title, (step) => step.line === line)),
    testOf('nothing else', ({ line }) => line === undefined || !lines.has(line)),
  ];
}

function noServer(startServer: unknown): McpRecordError {
  return new McpRecordError({
    code: 'OPTION_BAD_VALUE',
    what: 'Cannot start the server under test',
    why: `the second argument is no function, but of the type ${typeof startServer}`,
    next: "Give a function that returns the server: () => ({ command: 'node', args: ['server.js'] }).",
  });
}

/** Returns the requests of the recorded client. All pages of a list are compared with the first request. */
function interactionsOf(cassette: CassetteSource): { title: string; line: number }[] {
  const { events } = loadOfTestedServer(() => cassetteOf(cassette));
  const entries = eventsToEntries(events);
  const { answerOf } = correlateEntries(entries);
  return entries.flatMap(({ from, message, line, index }) => {
    if (from !== 'client' || !isRequest(message)) return [];
    const place = answerOf.get(index) === undefined ? `line ${line}, without a recorded answer` : `line ${line}`;
    return [{ title: `${subjectOf(message.method, message.params)} (${place})`, line }];
  });
}
