import type { Command } from 'commander';
import { readCassette } from '../../../cassette/read/load-cassette.ts';
import type { SessionEntry } from '../../../cassette/split-batches-into-entries.ts';
import { changedIdNotes } from '../../../fork/changed-id-notes.ts';
import { forkSession } from '../../../fork/fork-session.ts';
import { sessionPrefix } from '../../../fork/session-prefix.ts';
import { systemClock as clock } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { requireRules } from '../../../record/redact-file/require-rules.ts';
import { createRedactor } from '../../../redact/redactor.ts';
import type { Finding } from '../../../replay/findings/finding.ts';
import { checkPlayable } from '../../../replay/findings/unplayable-findings.ts';
import { failedSteps, type Outcome, placeOfStep } from '../../../text-report/outcome-model.ts';
import { toleratedOutcome } from '../../../text-report/pass-tolerated-steps.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { compareSession } from '../../../verify/compare/compare-session.ts';
import { liveRedaction } from '../../../verify/compare/equal-placeholders.ts';
import { redactOutcome } from '../../../verify/compare/redact-outcome.ts';
import { clientBehind, sayArrived } from '../../fork/client-arrival-messages.ts';
import { clientOf } from '../../fork/client-of-fork.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { missingRulesAdvice } from '../../io/missing-rules-advice.ts';
import { EXIT, fail, say } from '../../io/output.ts';
import { givenIgnores, type IgnoreOptions } from '../../options/ignore-options.ts';
import { hasRules, type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import { maskSecretsFor, secretsFromEnv, withSecrets } from '../../options/restore-secrets-from-env.ts';
import { prepareStdioRecorder } from '../../record/prepare-stdio-recorder.ts';
import { recordedServer, requireOneServer } from '../../record/server-to-record.ts';
import { millisecondsOf } from '../../verify/milliseconds-option.ts';
import { adviseOnPlaceholder, adviseToGive, OWN_RULES_ADVICE } from '../../verify/placeholder-advice.ts';
import { parseReaction } from '../mock-servers/on-difference-option.ts';
import { endRecording } from './record.ts';

interface Options extends RedactionOptions, IgnoreOptions {
  output: string;
  http?: string;
  header: string[];
  ca?: string;
  redact: boolean;
  timeout: string;
  onDifference: string;
  secretsFromEnv?: string;
  withClient?: boolean;
  listen?: string;
  allowHost: string[];
}

/**
 * Runs `mcp-record fork FILE:LINE -o NEW -- COMMAND…`: plays the recorded client to a live server up to a line, lets the
 * client on standard input go on from there, and records both. With `--with-client`, plays the recorded server to the
 * client up to that line, too.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { output, http, redact, withClient = false } = options;
  const [place = '', ...words] = command.args;
  requireOneServer(words, http, 'fork the session with');
  const isReportOnly = parseReaction(options.onDifference) === 'report';
  const patience = millisecondsOf('--timeout', options.timeout);
  const rules = await rulesFrom(options);
  const { ignore, named } = givenIgnores(options);
  const { file, line } = placeIn(place);
  const cassette = loadWithProgress(file);
  checkPlayable(cassette);
  if (redact) requireRules(cassette, rules, process.env);
  for (const warning of cassette.warnings) say(warning);
  const prefix = sessionPrefix(cassette, { line, lineCount: lineCountOf(file) });
  const secrets = await secretsFromEnv(options.secretsFromEnv);
  const played = await withSecrets(prefix, 'client', secrets, hasRules(options) ? '' : ` ${OWN_RULES_ADVICE}`);
  const { channel, name, headers } = await recordedServer(words, options);
  const redactor = createRedactor({ env: process.env, headers, ...rules });
  const redaction = liveRedaction(redactor, secrets, adviseOnPlaceholder, { env: process.env, headers });

  const mask = withClient ? await maskSecretsFor(prefix, rules) : [];
  const rulesAdvice = missingRulesAdvice(prefix, options);
  const sayFinding = (finding: Finding) => say(redactor.text(finding.text) + rulesAdvice(finding));
  const past = withClient
    ? {
        prefix,
        ignore: [...ignore, ...mask],
        endsAtDifference: isReportOnly,
        report: sayFinding,
        arrived: (unused: readonly SessionEntry[]) => sayArrived(place, file, unused),
      }
    : undefined;
  const { parent, close } = await clientOf({ ...options, prefix, place, report: sayFinding });
  const recording = prepareStdioRecorder({ output, server: name, headers, gap: 'coarse', redact, rules });
  const { end, isRefused, behind } = await forkSession({
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
      const outcome = redactOutcome(tolerated, redactor.json);
      return sayOutcome(outcome, { place, isReportOnly, withClient });
    },
  });
  const status = await endRecording({ recording, end, parent });
  await close();
  // A server that cannot start has its own error.
  const isBehind = behind !== undefined && !('error' in end);
  if (isRefused) fail(differs(place));
  else if (isBehind) fail(clientBehind(place, file, behind));
  process.exit(isRefused || isBehind ? EXIT.fellShort : status);
}

interface Told {
  place: string;
  isReportOnly: boolean;
  withClient: boolean;
}

/** Reports how the server answered the recorded client. Returns whether the live client goes on. */
function sayOutcome(outcome: Outcome, { place, isReportOnly, withClient }: Told): boolean {
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

function differs(place: string): McpRecordError {
  return new McpRecordError({
    code: 'FORK_DIFFERS',
    what: `Cannot go on from ${place}`,
    why: 'the server is in another state, since it answers otherwise than recorded',
    next: 'The differences are above. If the server has kept the state of an earlier run, in a file or a database, empty it. Leave out a date or a time with --ignore-pattern, and an id that the server makes up with match: { ignore: … } beside the answer that returns it. Or go on all the same with --on-difference report. Remove the new cassette first: it holds this attempt, and the next one would get another name.',
  });
}

/** Returns the parts of `FILE:LINE`. */
function placeIn(place: string): { file: string; line: number } {
  const [, file, line] = /^(.+):(\d{1,9})$/.exec(place) ?? [];
  if (file !== undefined) return { file, line: Number(line) };
  throw new McpRecordError({
    code: 'USAGE_BAD_LINES',
    what: `Cannot fork ${place}`,
    why: 'it has no line, or none that is a number',
    next: 'Write the line after the file, as the last one to play: cassette.yaml:44. mcp-record show prints the lines.',
  });
}

function lineCountOf(file: string): number {
  const text = Buffer.from(readCassette(file)).toString('utf8');
  return text.split(/\r\n?|\n/).length - (/[\r\n]$/.test(text) ? 1 : 0);
}
