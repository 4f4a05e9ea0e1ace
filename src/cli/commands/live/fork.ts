import type { Command } from 'commander';
import { McpRecordError } from '../../../kernel/errors.ts';
import { clientBehind } from '../../fork/client-arrival-messages.ts';
import { clientOf } from '../../fork/client-of-fork.ts';
import { type ForkPlace, forkDiffers, prepareFork } from '../../fork/prepare-fork.ts';
import { EXIT, fail, say } from '../../io/output.ts';
import { givenIgnores, type IgnoreOptions } from '../../options/ignore-options.ts';
import { type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import { requireOneServer } from '../../record/server-to-record.ts';
import { millisecondsOf } from '../../verify/milliseconds-option.ts';
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
  const fork = await prepareFork({
    ...{ place: placeIn(place), words, options, rules, patience, ignore, named, isReportOnly, withClient, redact },
    say,
  });
  const { parent, close } = await clientOf({ ...options, prefix: fork.prefix, place, report: fork.report });
  const { end, recording, isRefused, behind, hint } = await fork.run(parent, output);
  const status = await endRecording({ recording, end, parent });
  await close();
  if (hint !== undefined) say(hint);
  if (isRefused) fail(forkDiffers(place, ADVICE_IF_DIFFERENT));
  else if (behind) fail(clientBehind(place, fork.file, behind));
  process.exit(isRefused || behind ? EXIT.fellShort : status);
}

const ADVICE_IF_DIFFERENT =
  'The differences are above. If the server has kept the state of an earlier run, in a file or a database, empty it. Leave out a date or a time with --ignore-pattern, and an id that the server makes up with match: { ignore: … } beside the answer that returns it. Or go on all the same with --on-difference report. Remove the new cassette first: it holds this attempt, and the next one would get another name.';

/** Returns the parts of `FILE:LINE`. */
function placeIn(place: string): ForkPlace {
  const [, file, line] = /^(.+):(\d{1,9})$/.exec(place) ?? [];
  if (file !== undefined) return { file, line: Number(line) };
  throw new McpRecordError({
    code: 'USAGE_BAD_LINES',
    what: `Cannot fork ${place}`,
    why: 'it has no line, or none that is a number',
    next: 'Write the line after the file, as the last one to play: cassette.yaml:44. mcp-record show prints the lines.',
  });
}
