import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { McpRecordError } from '../../../kernel/errors.ts';
import { unplayableFindingsOf } from '../../../replay/findings/unplayable-findings.ts';
import { checkExpectedSubjects } from '../../../scenario/check-expected-subjects.ts';
import type { Scenario } from '../../../scenario/scenario.ts';
import { loadScenario } from '../../../scenario/scenario-file.ts';
import { type Evidence, judge, notesOn } from '../../../scenario/scenario-judge.ts';
import { SERVER_WORDS, URL_WORD } from '../../../sweep/client/server-address.ts';
import { outcomeText } from '../../../text-report/check-outcome-text.ts';
import { failedSteps, type Outcome } from '../../../text-report/outcome-model.ts';
import { redactOutcome } from '../../../verify/compare/redact-outcome.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { EXIT, outcomePaint, printJson, printLines, say } from '../../io/output.ts';
import { endBySignal } from '../../io/signals.ts';
import { hasRules, redactionWords, rulesFrom } from '../../options/redaction-options.ts';
import { secretsFromEnv, withSecrets } from '../../options/restore-secrets-from-env.ts';
import { outputRedactor } from '../../reports/output-redactor.ts';
import { writeReport } from '../../reports/write-report-file.ts';
import type { PlayedScenario, ScenarioOptions } from '../../scenario/observed-run.ts';
import { playOverStdio } from '../../scenario/play-over-stdio.ts';
import { OWN_RULES_ADVICE } from '../../verify/placeholder-advice.ts';

interface Options extends ScenarioOptions {
  json?: boolean;
  junit?: string;
}

/**
 * Runs `mcp-record run SCENARIO -- COMMAND…`: plays a scenario to a client or a server, and checks its expectations.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const [file = '', ...rest] = command.args;
  const tested = rest[0] === '--' ? rest.slice(1) : rest;
  const scenario = loadScenario(file);
  if (tested.length === 0) throw nobody(scenario);
  if (scenario.point !== undefined) return await runPoint(scenario, tested, options);
  await rulesFrom(options);
  const recorded = loadWithProgress(scenario.cassette);
  // A played server without secrets sends placeholders. A played client cannot, which its process says where nobody reads it.
  const cassette =
    scenario.play === 'client' || options.secretsFromEnv !== undefined
      ? await withSecrets(
          recorded,
          scenario.play === 'client' ? 'client' : undefined,
          await secretsFromEnv(options.secretsFromEnv),
          hasRules(options) ? '' : ` ${OWN_RULES_ADVICE}`,
        )
      : recorded;
  for (const warning of recorded.warnings) say(warning);
  for (const { text } of unplayableFindingsOf(recorded, scenario.play)) say(text);
  checkExpectedSubjects(scenario, recorded.events);

  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-run-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  endBySignal(remove);
  try {
    return await judgeAndReport(scenario, await play({ scenario, cassette, folder, options }, tested), options);
  } finally {
    remove();
  }
}

async function play(played: PlayedScenario, tested: readonly string[]): Promise<Evidence> {
  if (played.scenario.transport === 'http')
    return await (await import('../../scenario/play-over-http.ts')).playOverHttp(played, tested);
  return await playOverStdio(played, tested);
}

/** Plays the point of a scenario, and judges its verdict. */
async function runPoint(scenario: Scenario, tested: readonly string[], options: Options): Promise<number> {
  const without = withoutMeaningAtPoint(scenario, options);
  if (without !== undefined) {
    throw new McpRecordError({
      code: 'USAGE_OPTION_WITHOUT_MEANING',
      what: `Cannot use ${without.option}`,
      why: `${scenario.file} plays the point ${scenario.point?.name}, ${without.why}`,
      next: `Leave ${without.option} out.`,
    });
  }
  const { playScenarioPoint } = await import('../../sweep/run-sweep-point-scenario.ts');
  const started = ({ remove }: { remove(): void }) => endBySignal(remove);
  const evidence = await playScenarioPoint(scenario, { words: tested, ...options, started });
  const status = await judgeAndReport(scenario, evidence, options);
  // Child processes of a server under test may keep its streams open, and must not keep this process running.
  process.exit(status);
}

/** Returns an option that a scenario with a point cannot use. */
function withoutMeaningAtPoint({ play }: Scenario, options: Options): { option: string; why: string } | undefined {
  if (options.keep !== undefined)
    return { option: '--keep', why: 'which keeps no cassette: a report of a failure has its standard error' };
  const [option] = redactionWords(options);
  if (option !== undefined)
    return { option, why: 'as a sweep does, whose rules are those of the file that MCP_RECORD_REDACT_RULES names' };
  if (play === 'client' || options.secretsFromEnv === undefined) return undefined;
  return { option: '--secrets-from-env', why: 'as a sweep of a client does, which has no such option' };
}

async function judgeAndReport(scenario: Scenario, evidence: Evidence, options: Options): Promise<number> {
  const { duration } = evidence;
  const steps = judge(scenario, evidence);
  const outcome: Outcome = { title: 'run', file: scenario.file, steps, notes: notesOn(scenario, evidence), duration };
  await report(redactOutcome(outcome, (await outputRedactor(options)).json), options);
  return failedSteps(outcome).length > 0 ? EXIT.fellShort : EXIT.ok;
}

async function report(outcome: Outcome, { json, junit }: Options): Promise<void> {
  if (junit !== undefined) {
    const { junitXml } = await import('../../../text-report/junit.ts');
    writeReport(junit, junitXml(outcome));
  }
  if (json) return printJson(outcome);
  await printLines(outcomeText(outcome, outcomePaint(process.stdout)));
}

function nobody({ play, file, transport }: Scenario): McpRecordError {
  const other = play === 'server' ? 'client' : 'server';
  const word = transport === 'http' ? URL_WORD : SERVER_WORDS;
  const place = transport === 'http' ? "server's URL" : "server's command";
  return new McpRecordError({
    code: 'USAGE_ONE_SERVER',
    what: `Cannot run the scenario ${file}`,
    why: `it plays the ${play}, and there is no command of a ${other}`,
    next:
      other === 'client'
        ? `Give the client, with ${word} where the ${place} belongs: mcp-record run ${file} -- node client.js ${word}`
        : `Give the server: mcp-record run ${file} -- node server.js`,
  });
}
