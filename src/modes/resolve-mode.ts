import type { Milliseconds } from '../kernel/clock.ts';
import { didYouMean } from '../kernel/did-you-mean.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { formatCount } from '../kernel/format-count.ts';

/**
 * The use of a cassette in a test. `auto` records a missing cassette and replays an existing one. `replay` never
 * writes. `record` always records and replaces the cassette. `new` replays, and records only requests missing in the
 * cassette. `passthrough` uses the live server and records nothing.
 */
export type Mode = 'auto' | 'replay' | 'record' | 'new' | 'passthrough';

const MODES: readonly Mode[] = ['auto', 'replay', 'record', 'new', 'passthrough'];

export interface ResolveModeOptions {
  /** The mode option of the test. */
  option?: string | undefined;
  /** The environment, with `MCP_RECORD` and `CI`. */
  env: Readonly<Record<string, string | undefined>>;
  /** Whether the test runner was asked to update recordings, e.g. `vitest -u`. */
  update?: boolean | undefined;
  /** Whether the cassette exists. */
  exists: boolean;
  /** Returns the recording date of the cassette, if known. Called only for `expires`. */
  recorded(): Date | undefined;
  now: Date;
  /** Maximum age of a cassette. In mode `auto`, older cassettes are recorded again. */
  expires?: Milliseconds | undefined;
}

export interface ResolvedMode {
  mode: Exclude<Mode, 'auto'>;
  /** Warning about a cassette that is too old. */
  warning?: string;
}

/**
 * Resolves the mode: the option, else `MCP_RECORD`, else `record` on an update, else `auto`. `auto` becomes `replay` or
 * `record`; under `CI` always `replay`.
 * @throws McpRecordError USAGE_UNKNOWN_MODE
 */
export function resolveMode(question: ResolveModeOptions): ResolvedMode {
  const { option, env, update = false, exists } = question;
  const said = option ?? (env.MCP_RECORD || undefined);
  const asked = said === undefined ? undefined : parseMode(said, option === undefined);
  const mode = asked ?? (update ? 'record' : 'auto');
  if (mode === 'new' && !exists) return { mode: 'record' };
  return mode === 'auto' ? resolveAuto(question) : { mode };
}

function resolveAuto({ env, exists, recorded, now, expires }: ResolveModeOptions): ResolvedMode {
  const isCi = isSet(env.CI);
  if (!exists) return { mode: isCi ? 'replay' : 'record' };
  const since = expires === undefined ? undefined : recorded();
  const age = since && now.getTime() - since.getTime();
  if (age === undefined || age <= expires!) return { mode: 'replay' };
  const old = `it was recorded ${days(age)} ago`;
  if (isCi) return { mode: 'replay', warning: `${old}, which is longer than allowed: record it anew, not under CI` };
  return { mode: 'record', warning: `${old}: recording it anew` };
}

function parseMode(text: string, fromEnv: boolean): Mode {
  const mode = MODES.find((name) => name === text);
  if (mode) return mode;
  const meant = didYouMean(text, MODES);
  throw new McpRecordError({
    code: 'USAGE_UNKNOWN_MODE',
    what: `Cannot use the record mode "${text}"${fromEnv ? ' of MCP_RECORD' : ''}`,
    why: `the modes are ${MODES.join(', ')}`,
    next: meant ? `Did you mean "${meant}"?` : 'Leave it out for "auto".',
  });
}

/** Reports whether an environment variable is set, and not to `0` or `false`. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}

const DAY: Milliseconds = 86_400_000;

function days(age: Milliseconds): string {
  return formatCount(Math.floor(age / DAY), 'day');
}

/** Returns the error of a server that cannot be started, with the reason for its start: a missing cassette. */
export function withMissingCassette(error: unknown, file: string): unknown {
  if (!(error instanceof McpRecordError && error.code.startsWith('COMMAND_'))) return error;
  const { problem } = error;
  return new McpRecordError({
    ...problem,
    why: `${problem.why} (it is started to record ${file}, which does not exist)`,
  });
}

/** Returns the error for a missing cassette that is not recorded either. `hasServer`: another mode would record it. */
export function cassetteMissingError(file: string, hasServer = true): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_MISSING',
    what: `Cannot replay ${file}`,
    why: `there is no such cassette, and ${hasServer ? 'this mode' : 'a mock server'} does not record`,
    next: hasServer
      ? 'Record it on your machine, without CI and with MCP_RECORD=auto or record, and commit it.'
      : `Check the path, or record it: in a test, with mcp.connect(SERVER, { cassette }), or with npx mcp-record record -o ${file} -- COMMAND`,
  });
}
