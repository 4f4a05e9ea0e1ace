import { existsSync } from 'node:fs';
import type { CassetteSource } from '../../cassette/cassette.ts';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import { probeName } from '../../cassette/write/cassette-names.ts';
import { type Clock, instantOf, type Milliseconds, systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { type EndpointOptions, type FetchEndpoint, openEndpoint } from '../../mock/endpoint/fetch-endpoint.ts';
import { cassetteMissingError, type Mode, resolveMode } from '../../modes/resolve-mode.ts';
import type { RedactionRules } from '../../redact/redactor.ts';
import { noteUse } from '../test/claim-test-cassette.ts';
import { loadAndWarn, warnOnce } from '../test/print-test-notes.ts';
import type { Send } from './fetch-with-tap.ts';
import { openLiveEndpoint } from './forward-or-record-endpoint.ts';
import { numberedCassettes } from './keep-or-discard-cassettes.ts';

/** Recording options of an endpoint that can reach the real server. */
export interface RecordingOptions {
  /** Mode. Default: `MCP_RECORD`, then `record` if `update` is set, then `auto`. */
  mode?: EndpointMode;
  /** Source of the variables `MCP_RECORD` and `CI`. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Whether the test runner was asked to update recordings, e.g. `vitest -u`. */
  update?: boolean;
  /** Maximum age of a cassette. In mode `auto`, older cassettes are recorded again. */
  expires?: Milliseconds;
  /** False keeps passwords and tokens in the recording. Rules adjust the redaction. */
  redact?: boolean | RedactionRules;
}

/** Modes of an endpoint. `new` exists only for sessions of a single client. */
export type EndpointMode = Exclude<Mode, 'new'>;

/** Address and cassette of an endpoint. */
export interface EndpointPlace {
  url: string;
  cassette: CassetteSource;
  /** Sends requests to the real server. Absent: the endpoint only replays. */
  send?: Send | undefined;
}

/**
 * Opens an endpoint for the recorded or the real server, depending on the mode.
 * @throws McpRecordError USAGE_UNKNOWN_MODE, MODE_NOT_HERE, MODE_NEEDS_SERVER, CASSETTE_MISSING, USAGE_BAD_URL, and
 * those of `loadCassette`
 */
export function openEndpointInMode(
  { url, cassette: source, send }: EndpointPlace,
  options: EndpointOptions & RecordingOptions,
): FetchEndpoint {
  if (typeof source !== 'string') return openEndpoint(source.file, options, { files: [loadAndWarn(source)] });
  const cassette = source;
  noteUse(cassette);
  if (send === undefined) {
    if (options.mode !== undefined && options.mode !== 'replay') throw outOfReach(options.mode, cassette);
    return openEndpoint(cassette, options, { files: [loadAndWarn(cassette)] });
  }
  const mode = modeOf(cassette, options);
  if (mode === 'new') throw notHere(cassette);
  const { redact } = options;
  if (mode !== 'replay')
    return openLiveEndpoint({ url, cassette, mode, send, ...(redact !== undefined && { redact }) });
  if (!existsSync(cassette)) throw cassetteMissingError(cassette);
  const files = numberedCassettes(cassette);
  for (const file of [...files.slice(1), ...files.map(probeName)]) noteUse(file);
  return Object.assign(openEndpoint(cassette, options, { files: files.map(loadAndWarn) }), { canRecord: true });
}

type ModeOptions = RecordingOptions & { clock?: Clock };

function modeOf(cassette: string, options: ModeOptions): Exclude<Mode, 'auto'> {
  const { mode, env = process.env, update, expires, clock = systemClock } = options;
  const recorded = () => {
    const { recorded: date } = loadCassette(cassette).header;
    return date === undefined ? undefined : instantOf(date);
  };
  const exists = existsSync(cassette);
  const resolved = resolveMode({ option: mode, env, update, exists, recorded, now: clock.date(), expires });
  if (resolved.warning !== undefined) warnOnce([`${cassette}: ${resolved.warning}.`]);
  return resolved.mode;
}

function notHere(cassette: string): McpRecordError {
  return new McpRecordError({
    code: 'MODE_NOT_HERE',
    what: `Cannot add to ${cassette} in mode "new"`,
    why: 'an endpoint records whole sessions of its clients, and cannot extend one',
    next: 'Record it anew with mode "record", or let mcp.connect({ url }) add to it.',
  });
}

function outOfReach(mode: string, cassette: string): McpRecordError {
  return new McpRecordError({
    code: 'MODE_NEEDS_SERVER',
    what: `Cannot use mode "${mode}" for ${cassette}`,
    why: 'the endpoint was not told how to reach the real server',
    next: 'Give mswEndpoint the `bypass` of MSW, or nockEndpoint `record: true`.',
  });
}
