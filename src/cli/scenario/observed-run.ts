import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cassette } from '../../cassette/cassette.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { Evidence } from '../../scenario/scenario-judge.ts';
import type { Ended } from '../../sweep/client/run-command.ts';
import { lastLines } from '../../text-report/last-lines.ts';
import { loadWithProgress } from '../io/load-with-progress.ts';
import type { RedactionOptions } from '../options/redaction-options.ts';
import { outputRedactor } from '../reports/output-redactor.ts';

/** A scenario with what it is played from. */
export interface PlayedScenario {
  scenario: Scenario;
  cassette: Cassette;
  /** Temporary folder. */
  folder: string;
  options: ScenarioOptions;
}

/** Options of `run` that concern the playing. */
export interface ScenarioOptions extends RedactionOptions {
  keep?: string;
  secretsFromEnv?: string;
}

/** Returns what a run of the command left: the recorded sessions, of which `--keep` gets the last one, and its end. */
export async function observed(
  ended: Ended,
  played: PlayedScenario,
): Promise<Pick<Evidence, 'cassettes' | 'exit' | 'stderr' | 'duration' | 'timedOut'>> {
  const { folder, options } = played;
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const files = names.sort().map((name) => join(folder, name));
  const last = files.at(-1);
  if (options.keep !== undefined && last !== undefined) copyFileSync(last, options.keep);
  const cassettes = files.map((file) => loadWithProgress(file).events);
  return {
    cassettes,
    exit: ended.timedOut ? undefined : (ended.signal ?? ended.status),
    stderr: await lastWords(ended, cassettes, played),
    duration: ended.duration,
    timedOut: ended.timedOut,
  };
}

/**
 * Returns the last lines of standard error of the program under test, without secrets. A client passes on the messages of its mock server, which are
 * findings, or of no use. A played client says there why it cannot play, and keeps what the server says.
 */
async function lastWords(
  { stderr }: Ended,
  sessions: Evidence['cassettes'],
  { scenario: { play }, options }: PlayedScenario,
): Promise<readonly string[]> {
  const own = play === 'server' ? stderr.replaceAll(OWN_MESSAGE, '') : `${stderr}${recordedStderr(sessions)}`;
  if (own.trim() === '') return [];
  return lastLines((await outputRedactor(options)).text(own));
}

/** Message of this program, including its indented continuation lines. */
const OWN_MESSAGE = /^mcp-record: .*\n?(?:[ \t]+.*\n?)*/gm;

function recordedStderr(sessions: Evidence['cassettes']): string {
  const lines = sessions
    .flat()
    .flatMap(({ frame }) => (frame.kind === 'line' && frame.on === 'stderr' ? [frame.data] : []));
  return lines.map((line) => `${typeof line === 'string' ? line : Buffer.from(line)}\n`).join('');
}
