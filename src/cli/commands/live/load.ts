import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import { eventsToEntries } from '../../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../../contract/message-title.ts';
import { systemClock as clock, type Milliseconds, whileAlive } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { grouped } from '../../../kernel/format-count.ts';
import { packageVersion } from '../../../kernel/installed-package.ts';
import { measureProcessDelay } from '../../../load/duration-histogram.ts';
import { type LoadJson, type LoadRun, loadJson, loadOutcome, loadText } from '../../../load/load-report.ts';
import { LoadStats } from '../../../load/load-stats.ts';
import { sendSameValues } from '../../../load/same-values.ts';
import { playSessions } from '../../../load/session-arrivals.ts';
import { checkThreshold, parseThreshold } from '../../../load/threshold.ts';
import { JsonText } from '../../../protocol/json-text.ts';
import { isRequest } from '../../../protocol/message.ts';
import type { Redactor } from '../../../redact/redactor.ts';
import { checkPlayable } from '../../../replay/findings/unplayable-findings.ts';
import { outcomeText } from '../../../text-report/check-outcome-text.ts';
import { failedSteps, type Outcome } from '../../../text-report/outcome-model.ts';
import { compareSession } from '../../../verify/compare/compare-session.ts';
import { liveRedaction } from '../../../verify/compare/equal-placeholders.ts';
import { playToLiveServer } from '../../../verify/run/play-to-live-server.ts';
import { refuseNonMcpRequests } from '../../../verify/run/refuse-non-mcp-requests.ts';
import { filesAndCommand } from '../../cassette-files/files-and-command.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { EXIT, outcomePaint, printJson, printLines, say } from '../../io/output.ts';
import { interruption } from '../../io/signals.ts';
import { clientsOf, durationOf, rateOf } from '../../load/load-options.ts';
import { liveServerConnector } from '../../options/connect-live-server.ts';
import { faultLayerFor } from '../../options/fault-layer.ts';
import { headersFrom } from '../../options/header-options.ts';
import { givenIgnores, type IgnoreOptions } from '../../options/ignore-options.ts';
import { hasRules, type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import { secretsFromEnv, withSecrets } from '../../options/restore-secrets-from-env.ts';
import { checkReplaceable, removeEarlier } from '../../reports/replaceable-file.ts';
import { writeReport } from '../../reports/write-report-file.ts';
import { StatusLine } from '../../terminal/status-line.ts';
import { widthOf } from '../../terminal/word-wrap.ts';
import { millisecondsOf } from '../../verify/milliseconds-option.ts';
import { adviseOnPlaceholder, OWN_RULES_ADVICE } from '../../verify/placeholder-advice.ts';

interface Options extends RedactionOptions, IgnoreOptions {
  http?: string;
  header: string[];
  ca?: string;
  clients?: string;
  rate?: string;
  for: string;
  ramp?: string;
  threshold: string[];
  timeout: string;
  json?: boolean;
  junit?: string;
  html?: string;
  export?: string;
  output?: string;
  secretsFromEnv?: string;
  otherRequests?: boolean;
}

/** Default number of clients: `closed` is the constant number, `open` is the maximum at the same time. */
const CLIENTS = { closed: 10, open: 100 };

/**
 * Runs `mcp-record load FILE… -- COMMAND…` or `--http URL`: plays recorded clients in numbers to a live server, and
 * compares all answers.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const [files, words] = filesAndCommand(command.args, process.argv);
  // Checks the path of the page first, because an unusable path must not be found only after the load.
  if (options.html !== undefined) checkReplaceable(options.html, { option: '--html', kind: 'report' });
  const rate = options.rate === undefined ? undefined : rateOf(options.rate);
  const clients =
    options.clients === undefined ? CLIENTS[rate === undefined ? 'closed' : 'open'] : clientsOf(options.clients);
  const time = durationOf('--for', options.for);
  const ramp = options.ramp === undefined ? 0 : durationOf('--ramp', options.ramp);
  const patience = millisecondsOf('--timeout', options.timeout);
  const rules = await rulesFrom(options);
  const { ignore } = givenIgnores(options);
  const secrets = await secretsFromEnv(options.secretsFromEnv);
  const cassettes = files.map((file) => playable(file, options));
  const titles = [...new Set(cassettes.flatMap(requestTitles))];
  const thresholds = options.threshold.map((text) => parseThreshold(text, { titles, noStreams: noStreams(options) }));
  const shape = { clients, duration: time, ramp, ...(rate !== undefined && { rate }) };
  if (options.export !== undefined) {
    const { exportScript } = await import('../../load/export-script.ts');
    await exportScript({ options, words, cassettes, load: { ...shape, thresholds, patience }, rules });
    return EXIT.ok;
  }
  const advice = hasRules(options) ? '' : ` ${OWN_RULES_ADVICE}`;
  const played = await Promise.all(cassettes.map((cassette) => withSecrets(cassette, 'client', secrets, advice)));
  const headers = options.http === undefined ? {} : headersFrom(options.header, process.env);
  const server = liveServerConnector(words, { ...options, headers, command: 'load' }, await faultLayerFor(undefined));

  const [{ redactOutcome }, { createRedactor }] = await Promise.all([
    import('../../../verify/compare/redact-outcome.ts'),
    import('../../../redact/redactor.ts'),
  ]);
  const redactor = createRedactor({ env: process.env, headers, ...rules });
  const redaction = liveRedaction(redactor, secrets, adviseOnPlaceholder, { env: process.env, headers });
  const stats = new LoadStats();
  const { aborted, by } = interruption();

  /** Whether the server has answered at all. Until then, the page of an earlier load stays. */
  let isAnswered = false;

  /** Plays a session. Resolves to whether the server was reached. */
  const play = async (number: number, ended: AbortSignal): Promise<boolean> => {
    const cassette = played[(number - 1) % played.length]!;
    const { file } = cassette;
    const answers = new Map<number, Milliseconds>();
    try {
      const driven = await playToLiveServer({
        start: server,
        cassette,
        clock,
        patience,
        ignore,
        redaction,
        aborted: ended,
        answered: ({ request }) => {
          answers.set(request.line, clock.now() - began);
          if (isAnswered) return;
          isAnswered = true;
          if (options.html !== undefined) removeEarlier(options.html);
        },
      });
      const times = { answers, end: clock.now() - began };
      stats.add(number, compareSession({ file, driven, ignore, redaction }), times);
      if (driven.streams) stats.addStreams(driven.streams);
      return driven.exchanges.length > 0 || ended.aborted;
    } catch (error) {
      // If even the first session finds no server, there is nothing to load.
      if (!(error instanceof McpRecordError) || stats.sessions === 0) throw error;
      stats.addUnreached(number, file, `${error.problem.what}: ${error.problem.why}`, clock.now() - began);
      return false;
    }
  };

  const load: LoadRun = {
    version: packageVersion(),
    date: clock.date().toISOString(),
    ...serverOf(options.http, words, redactor),
    ...{ clients, for: time, ramp, ...(rate !== undefined && { rate }) },
  };
  const began = clock.now();
  const processDelay = measureProcessDelay();
  const callOff = showProgress(stats, began, time);
  const arrivals = await playSessions({ ...shape, play, clock, aborted }).finally(callOff);
  const duration = clock.now() - began;
  if (stats.answers === 0 && by() === undefined) throw nothingAnswered(stats);
  const result = {
    run: load,
    files,
    stats,
    arrivals,
    thresholds: thresholds.map((threshold) => checkThreshold(threshold, stats, duration)),
    duration,
    processDelay: processDelay(),
    hasSameValues: clients > 1 && sendSameValues(cassettes),
  };
  const outcome = redactOutcome(loadOutcome(result), redactor.json);
  if (options.junit !== undefined) {
    writeReport(options.junit, (await import('../../../text-report/junit.ts')).junitXml(outcome));
  }
  const figures = (): LoadJson => JSON.parse(redactor.json(new JsonText(JSON.stringify(loadJson(result)))).text);
  if (options.html !== undefined) await writePage(options.html, figures(), outcome);
  if (options.json) await printJson(figures());
  else {
    // The titles of requests have secrets of `--secrets-from-env` where a recorded client says them in a URI or a name.
    const table = loadText(result, widthOf(process.stdout)).map((line) => redactor.text(line));
    await printLines([...table, ...outcomeText(outcome, outcomePaint(process.stdout))]);
  }
  const signal = by();
  // Child processes of the server may keep its streams open, and must not keep this process running.
  if (signal !== undefined) process.exit(childExitStatus(signal));
  process.exit(failedSteps(outcome).length > 0 ? EXIT.fellShort : EXIT.ok);
}

async function writePage(file: string, figures: LoadJson, { steps }: Outcome): Promise<void> {
  const [{ loadPage }, { readLoadAssets }] = await Promise.all([
    import('../../../html-report/html-page.ts'),
    import('../../../html-report/report-assets.ts'),
  ]);
  writeReport(file, loadPage({ version: packageVersion(), figures, checks: steps }, readLoadAssets()));
  say(`wrote ${file}`);
}

/** Returns the server that is loaded. Its URL has no secret; those of a command are redacted with the other figures. */
function serverOf(
  http: string | undefined,
  words: readonly string[],
  redactor: Redactor,
): Pick<LoadRun, 'url' | 'command'> {
  if (http !== undefined) return { url: redactor.url(http) };
  return { command: words[0] === '--' ? words.slice(1) : words };
}

/** Loads a cassette whose client can be played to a server. */
function playable(file: string, { http, otherRequests }: Options): Cassette {
  const cassette = loadWithProgress(file);
  checkPlayable(cassette);
  if (http !== undefined && !otherRequests) refuseNonMcpRequests(cassette, '--other-requests');
  for (const warning of cassette.warnings) say(warning);
  return cassette;
}

/** Returns why the event streams of a load are not counted. Undefined: they are. */
function noStreams({ http, export: format }: Options): string | undefined {
  if (format !== undefined) return `a script for ${format} counts no event streams`;
  return http === undefined ? 'a server over stdio has no event streams' : undefined;
}

/** Returns the titles of the requests that a recorded client sends, such as `tools/call "weather"`. */
function requestTitles({ events }: Cassette): string[] {
  return eventsToEntries(events)
    .filter(({ from, message }) => from === 'client' && isRequest(message))
    .map(({ message }) => messageTitle(message));
}

const SECOND: Milliseconds = 1_000;

/** Shows on a terminal how far the load is. */
function showProgress(stats: LoadStats, began: Milliseconds, time: Milliseconds): () => void {
  if (!process.stderr.isTTY) return () => {};
  const status = new StatusLine(process.stderr);
  const show = () => {
    const [passed, all] = [clock.now() - began, time].map((span) => Math.round(span / SECOND));
    const { sessions, answers, failed } = stats;
    const counts = `${grouped(sessions)} sessions, ${grouped(answers)} answers, ${grouped(failed)} failed`;
    status.show(`${passed} of ${all} s: ${counts}`);
  };
  show();
  const callOff = whileAlive(SECOND, show);
  return () => {
    callOff();
    status.clear();
  };
}

function nothingAnswered(stats: LoadStats): McpRecordError {
  const [first] = stats.failures();
  return new McpRecordError({
    code: 'LOAD_NOT_ANSWERED',
    what: 'Cannot load the server',
    why: `it has answered nothing${first?.step.headline === undefined ? '' : `: ${first.step.headline}`}`,
    next: 'Play one session first: mcp-record verify FILE, with the same server, says what is wrong.',
  });
}
