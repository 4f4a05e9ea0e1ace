import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER_ONLY, writeNew } from '../../cassette/write/atomic-write.ts';
import { inlineScalar } from '../../cassette/write/yaml-scalar.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import type { Shrunk } from '../../sweep/shrink/shrink-failure.ts';
import { printable } from '../../text-report/printable-text.ts';
import { shellWord } from '../../text-report/shell-word.ts';
import { againCommand, programWords } from './again-command.ts';
import type { FoundSweepPoint, PointRequest } from './find-sweep-point.ts';

export interface ShrunkFilesOptions {
  folder: string;
  shrunk: Shrunk;
  found: Pick<FoundSweepPoint, 'point'>;
  request: PointRequest;
}

/** The written files, and the command that runs them. */
export interface ShrunkFiles {
  cassette: string;
  scenario: string;
  again: string;
}

/**
 * Writes the small cassette, and a scenario that fails in the same way.
 * @throws McpRecordError USAGE_CANNOT_WRITE
 */
export function writeShrunkFiles(options: ShrunkFilesOptions): ShrunkFiles {
  const { folder, shrunk } = options;
  const cassette = join(folder, 'cassette.yaml');
  const scenario = join(folder, 'scenario.yaml');
  const again = runCommandLine(options, scenario, cassette);
  try {
    mkdirSync(folder, { recursive: true });
    writeNew(cassette, shrunk.text, OWNER_ONLY);
    writeNew(scenario, scenarioText(options, again), OWNER_ONLY);
  } catch (error) {
    throw new McpRecordError({
      code: 'USAGE_CANNOT_WRITE',
      what: `Cannot write to ${folder}`,
      why: messageOf(error),
      next: 'Name a folder that may be written to.',
      cause: error,
    });
  }
  return { cassette, scenario, again };
}

/**
 * Returns the command that repeats the failure. Options that a scenario does not have, such as headers, need the
 * command of the sweep.
 */
function runCommandLine({ request, shrunk }: ShrunkFilesOptions, scenario: string, cassette: string): string {
  const { words, options, seed } = request;
  const { header, otherRequests, secretsFromEnv, ignore, ignorePattern } = options;
  const point = shrunk.observation.point;
  if ([...header, ...ignore, ...ignorePattern].length > 0 || otherRequests || secretsFromEnv !== undefined) {
    return againCommand({ file: cassette, point, seed, words, options: { ...options, point: [] } });
  }
  const program = options.server && options.http ? words : ['--', ...words];
  return [...programWords(), 'run', scenario, ...program].map(shellWord).join(' ');
}

function scenarioText({ shrunk, request, found }: ShrunkFilesOptions, again: string): string {
  const { options, seed, deadline } = request;
  const { observation, messages, messagesBefore } = shrunk;
  const { point, verdict, title, cause } = observation;
  const { params } = found.point;
  const limit = options.server ? 'patience' : 'deadline';
  return [
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
