import type { Cassette } from '../../cassette/cassette.ts';
import { readCassette } from '../../cassette/read/load-cassette.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { changedIdNotes } from '../../fork/changed-id-notes.ts';
import { type ForkEnd, forkSession } from '../../fork/fork-session.ts';
import { sessionPrefix } from '../../fork/session-prefix.ts';
import { systemClock as clock, type Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { requireRules } from '../../record/redact-file/require-rules.ts';
import { createRedactor } from '../../redact/redactor.ts';
import type { WrittenRules } from '../../redact/rules/parse-redaction-rules.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { checkPlayable } from '../../replay/findings/unplayable-findings.ts';
import { failedSteps, type Outcome, placeOfStep } from '../../text-report/outcome-model.ts';
import { toleratedOutcome } from '../../text-report/pass-tolerated-steps.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { Parent } from '../../transports/stdio/parent-channel.ts';
import { compareSession } from '../../verify/compare/compare-session.ts';
import { liveRedaction } from '../../verify/compare/equal-placeholders.ts';
import { redactOutcome } from '../../verify/compare/redact-outcome.ts';
import { loadWithProgress } from '../io/load-with-progress.ts';
import { missingRulesAdvice } from '../io/missing-rules-advice.ts';
import type { GivenIgnores } from '../options/ignore-options.ts';
import { hasRules, type RedactionOptions } from '../options/redaction-options.ts';
import { maskSecretsFor, secretsFromEnv, withSecrets } from '../options/restore-secrets-from-env.ts';
import { prepareStdioRecorder, type StdioRecording } from '../record/prepare-stdio-recorder.ts';
import { type RecordedServerOptions, recordedServer } from '../record/server-to-record.ts';
import { adviseOnPlaceholder, adviseToGive, OWN_RULES_ADVICE } from '../verify/placeholder-advice.ts';
import { proposeCommand, proposeHint } from '../verify/propose-hint.ts';
import { runnableCommand } from '../verify/runnable-command.ts';
import { arrivalLines } from './client-arrival-messages.ts';

/** Last line of a cassette that a fork plays. */
export interface ForkPlace {
  file: string;
  line: number;
}

export interface PrepareForkOptions extends Pick<GivenIgnores, 'ignore' | 'named'> {
  place: ForkPlace;
  /** Command of the server. Empty: the options name its URL. */
  words: readonly string[];
  options: RedactionOptions & RecordedServerOptions;
  rules: WrittenRules;
  /** Maximum wait for an answer of the server. */
  patience: Milliseconds;
  /** Whether the fork goes on if the server answers otherwise. */
  isReportOnly: boolean;
  /** Whether the recorded server answers the live client up to the line. */
  withClient: boolean;
  redact: boolean;
  /** Prints a line for the user of the live client. */
  say(text: string): void;
}

/** End of a fork, with its recording, which is still to be ended. */
export interface EndedFork extends ForkEnd {
  recording: StdioRecording;
  /** How to ignore what the server makes up, if that is why the fork was refused. */
  hint?: string;
}

/** A fork that has a cassette and a server, and no client yet. */
export interface PreparedFork {
  file: string;
  /** Cassette up to the line. */
  prefix: Cassette;
  /** Prints a finding about the live client. */
  report(finding: Finding): void;
  /** Plays the fork to the end of its server, and records it at `output`. */
  run(client: Parent, output: string): Promise<EndedFork>;
}

/**
 * Prepares a fork of a cassette at a line.
 * @throws McpRecordError as `loadCassette`, `sessionPrefix`, `requireRules`, `withSecrets` and `recordedServer`
 */
export async function prepareFork(given: PrepareForkOptions): Promise<PreparedFork> {
  const { place: at, words, options, rules, patience, ignore, named, withClient, redact, say } = given;
  const { file, line } = at;
  const place = `${file}:${line}`;
  const cassette = loadWithProgress(file);
  checkPlayable(cassette);
  if (redact) requireRules(cassette, rules, process.env);
  for (const warning of cassette.warnings) say(warning);
  const prefix = sessionPrefix(cassette, { line, lineCount: lineCountOf(file) });
  const secrets = await secretsFromEnv(options.secretsFromEnv);
  const played = await withSecrets(prefix, 'client', secrets, hasRules(options) ? '' : ` ${OWN_RULES_ADVICE}`);
  const { channel, name, given: givenTo } = await recordedServer(words, options);
  const redactor = createRedactor({ env: process.env, ...givenTo, ...rules });
  const redaction = liveRedaction(redactor, secrets, adviseOnPlaceholder, { env: process.env, ...givenTo });

  const mask = withClient ? await maskSecretsFor(prefix, rules) : [];
  const rulesAdvice = missingRulesAdvice(prefix, options);
  const report = (finding: Finding) => say(redactor.text(finding.text) + rulesAdvice(finding));
  const past = withClient
    ? {
        prefix,
        ignore: [...ignore, ...mask],
        endsAtDifference: given.isReportOnly,
        report,
        arrived: (unused: readonly SessionEntry[]) => {
          for (const text of arrivalLines(place, file, unused)) say(text);
        },
      }
    : undefined;
  const run = async (parent: Parent, output: string): Promise<EndedFork> => {
    const recording = prepareStdioRecorder({ output, server: name, given: givenTo, gap: 'coarse', redact, rules });
    let outcome: Outcome | undefined;
    const { behind, ...ended } = await forkSession({
      prefix: played,
      parent,
      past,
      clock,
      ignore,
      patience,
      redaction,
      server: channel,
      recorder: recording.recorder,
      broken: recording.broken,
      note: say,
      accept(driven) {
        const compared = compareSession({ file, driven, ignore, named, redaction, howToGive: adviseToGive });
        // A client that has made the calls itself knows the recorded ids.
        const notes = withClient ? compared.notes : [...compared.notes, ...changedIdNotes(driven)];
        const tolerated = toleratedOutcome({ ...compared, notes }, 'breaking', 'fork');
        outcome = redactOutcome(tolerated, redactor.json);
        return sayOutcome(outcome, place, given);
      },
    });
    // A server that cannot start has its own error.
    const isBehind = behind !== undefined && !('error' in ended.end);
    const proposed =
      outcome && (await proposeHint(outcome, runnableCommand(proposeCommand(file, words, options), redactor.text)));
    const hint = ended.isRefused ? proposed : undefined;
    return { ...ended, recording, ...(isBehind && { behind }), ...(hint !== undefined && { hint }) };
  };
  return { file, prefix, report, run };
}

/** Reports how the server answered the recorded client. Returns whether the live client goes on. */
function sayOutcome(
  outcome: Outcome,
  place: string,
  { say, isReportOnly, withClient }: Pick<PrepareForkOptions, 'say' | 'isReportOnly' | 'withClient'>,
): boolean {
  const next = withClient ? 'The server is at this line.' : 'The live client goes on.';
  const failed = failedSteps(outcome);
  const count = formatCount(outcome.steps.length - failed.length, 'answer');
  if (failed.length === 0) {
    for (const note of outcome.notes) say(`note: ${note}`);
    say(`Played ${place}: ${count} as recorded. ${next}`);
    return true;
  }
  const lines = failed.map((step) =>
    printable(`  ${step.title}: ${step.headline} (${placeOfStep(step, outcome.file)})`),
  );
  say(`The server does not answer as recorded:\n${lines.join('\n')}`);
  if (isReportOnly) say(`Played ${place} with these differences. ${next}`);
  return isReportOnly;
}

/** Returns the error for a server that answers otherwise than recorded. */
export function forkDiffers(place: string, next: string): McpRecordError {
  return new McpRecordError({
    code: 'FORK_DIFFERS',
    what: `Cannot go on from ${place}`,
    why: 'the server is in another state, since it answers otherwise than recorded',
    next,
  });
}

function lineCountOf(file: string): number {
  const text = Buffer.from(readCassette(file)).toString('utf8');
  return text.split(/\r\n?|\n/).length - (/[\r\n]$/.test(text) ? 1 : 0);
}
