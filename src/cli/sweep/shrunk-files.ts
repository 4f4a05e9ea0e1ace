import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER_ONLY, writeNew } from '../../cassette/write/atomic-write.ts';
import { inlineScalar } from '../../cassette/write/yaml-scalar.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import type { Shrunk } from '../../sweep/shrink/shrink-failure.ts';
import { printable } from '../../text-report/printable-text.ts';
import { runnableCommand } from '../verify/runnable-command.ts';
import { againCommand, commandLine, pointOptionWords, programUnderTest } from './again-command.ts';
import type { FoundSweepPoint, PointRequest } from './find-sweep-point.ts';

export interface ShrunkFilesOptions {
  folder: string;
  shrunk: Shrunk;
  found: Pick<FoundSweepPoint, 'params' | 'redactor'>;
  request: PointRequest;
}

/** Written files and their printed summary, without secrets. */
export interface ShrunkFiles {
  cassette: string;
  scenario: string;
  /** Cause of the failure. */
  cause: string;
  /** Command that repeats the failure. */
  again: string;
}

/**
 * Writes the small cassette, and a scenario that fails in the same way.
 * @throws McpRecordError USAGE_CANNOT_WRITE
 */
export function writeShrunkFiles(options: ShrunkFilesOptions): ShrunkFiles {
  const { folder, shrunk, found } = options;
  const cassette = join(folder, 'cassette.yaml');
  const scenario = join(folder, 'scenario.yaml');
  const { text } = found.redactor;
  const again = runnableCommand(runCommandLine(options, scenario, cassette), text);
  const cause = text(shrunk.observation.cause);
  try {
    mkdirSync(folder, { recursive: true });
    writeNew(cassette, shrunk.text, OWNER_ONLY);
    writeNew(scenario, scenarioText(options, { cause, again }), OWNER_ONLY);
  } catch (error) {
    throw new McpRecordError({
      code: 'USAGE_CANNOT_WRITE',
      what: `Cannot write to ${folder}`,
      why: messageOf(error),
      next: 'Name a folder that may be written to.',
      cause: error,
    });
  }
  return { cassette, scenario, cause, again };
}

/**
 * Returns the command that repeats the failure: `run` with the scenario, or `sweep` if the run needs options that
 * scenarios lack, such as headers.
 */
function runCommandLine({ request, shrunk }: ShrunkFilesOptions, scenario: string, cassette: string): string {
  const { words, options, seed } = request;
  const { header, otherRequests, secretsFromEnv, ignore, ignorePattern } = options;
  const point = shrunk.observation.point;
  if ([...header, ...ignore, ...ignorePattern].length > 0 || otherRequests || secretsFromEnv !== undefined) {
    return againCommand({ file: cassette, point, seed, words, options });
  }
  return commandLine(['run', scenario, ...programUnderTest(words, options)]);
}

/** Returns the command line that found the failure, without the values of headers. */
function foundCommandLine({ request, folder }: ShrunkFilesOptions): string {
  const { file, name, words, options, deadline, seed } = request;
  const measured = deadline === undefined ? options : { ...options, deadline: String(deadline) };
  const given = pointOptionWords({ point: name, seed, options: measured });
  return commandLine(['shrink', ...given, '-o', folder, file, ...programUnderTest(words, options)]);
}

function scenarioText(written: ShrunkFilesOptions, { cause, again }: Pick<ShrunkFiles, 'cause' | 'again'>): string {
  const { shrunk, request, found } = written;
  const { options, seed, deadline } = request;
  const { observation, messages, messagesBefore } = shrunk;
  const { point, verdict, title } = observation;
  const { params } = found;
  const limit = options.server ? 'patience' : 'deadline';
  return [
    `# Found with: ${printable(runnableCommand(foundCommandLine(written), found.redactor.text))}`,
    `# ${printable(`${verdict} ${point}: ${title}`)}`,
    `# ${printable(cause)}`,
    `# ${messages} of ${messagesBefore} messages are left. Again:`,
    ...(again.includes('\n') ? [] : [`#   ${printable(again)}`]),
    'cassette: cassette.yaml',
    `play: ${options.server ? 'client' : 'server'}`,
    `point: ${inlineScalar(point)}`,
    ...(params === undefined ? [] : [`params: ${JSON.stringify(params)}`]),
    ...(options.http ? ['transport: http'] : []),
    ...(options.inputs ? [`seed: ${seed}`] : []),
    ...(deadline === undefined ? [] : [`${limit}: ${Math.ceil(deadline)}`]),
    'expect:',
    '  - verdict: good',
    '',
  ].join('\n');
}
