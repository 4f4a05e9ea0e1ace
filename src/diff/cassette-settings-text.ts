import { type Cassette, TITLE } from '../cassette/cassette.ts';
import type { ShownCassette } from '../cassette/read/parse-cassette.ts';
import type { Frame } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { isLoopback } from '../protocol/loopback.ts';
import { isObject, isRequest } from '../protocol/message.ts';
import { printable } from '../text-report/printable-text.ts';

/**
 * Formats the header's settings. The port of a recorded server on this machine is left out, because it differs in each
 * recording.
 */
export function headerText({ header }: Cassette): string {
  const { transport, url, recorder } = header;
  if (transport === 'stdio') return '';
  return `transport: ${transport}\n${url === undefined ? '' : `url: ${printable(recorder === undefined ? url : withoutOwnPort(url))}\n`}`;
}

function withoutOwnPort(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (!isLoopback(url.hostname)) return text;
  url.port = '';
  return url.href;
}

/**
 * Formats the settings beside events, one a line: `# match.repeat: "last"`. Equal lines are printed once. The error of
 * an invalid `match` is printed below.
 */
export function cassetteSettingsText(cassette: ShownCassette, positions: readonly number[]): string {
  const { events, refusals = [] } = cassette;
  const lines = positions.flatMap((position) => [
    ...settingsOf(cassette, position).map(({ name, text }) => `${name}: ${text}`),
    ...refusals
      .filter(({ line }) => line === events[position]!.line)
      .map(({ error }) => `match is refused: ${error.problem.why} [${error.code}]`),
  ]);
  return [...new Set(lines)].map((line) => `  # ${printable(line)}\n`).join('');
}

/** Setting beside an event, such as `match.repeat`. */
export interface Setting {
  name: string;
  value: unknown;
  /** Value for people. */
  text: string;
}

/** Kinds of events whose status is their content, not a setting. */
const OF_STATUS: ReadonlySet<Frame['kind']> = new Set(['exit', 'http-response']);

/** Returns the settings beside the event at a position. */
export function settingsOf({ events, header }: Cassette, position: number): Setting[] {
  const { frame, match } = events[position]!;
  const { status, headers } = frame as { status?: unknown; headers?: object };
  const wait = frame.at - (events[position - 1]?.frame.at ?? 0);
  const isOfServer = frame.from === 'server' && !isOfStart(events, position);
  const after = header.recorder === undefined ? exactDelay(wait) : isOfServer ? magnitudeOf(wait) : undefined;
  return [
    ...rulesOf(match),
    ...(status === undefined || OF_STATUS.has(frame.kind)
      ? []
      : [{ name: 'status', value: status, text: `${status}` }]),
    ...membersOf('headers', headers),
    ...(after === undefined ? [] : [{ name: 'after', value: after, text: after }]),
  ];
}

const STARTS: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

/**
 * Reports whether the client has sent only its first request. Until the next one, a delay includes the server's start.
 */
function isOfStart(events: Cassette['events'], position: number): boolean {
  let last = position - 1;
  while (last >= 0 && !(events[last]!.frame.from === 'client' && events[last]!.frame.kind === 'message')) last--;
  const frame = events[last]?.frame;
  const message = frame?.kind === 'message' ? frame.json.value : undefined;
  return frame === undefined || (isRequest(message) && STARTS.has(message.method));
}

/** Returns the rules of `match` as settings. An invalid `match` may not be a mapping. */
function rulesOf(match: unknown): Setting[] {
  if (match === undefined || isObject(match)) return membersOf('match', match);
  return [{ name: 'match', value: match, text: JSON.stringify(match) }];
}

function membersOf(name: string, members: object = {}): Setting[] {
  return Object.entries(members).map(([key, value]) => ({
    name: `${name}.${key}`,
    value,
    text: JSON.stringify(value),
  }));
}

function exactDelay(wait: Milliseconds): string | undefined {
  return wait > 0 ? String(Number(wait.toFixed(3))) : undefined;
}

const SECOND: Milliseconds = 1_000;

/**
 * Returns the magnitude of a recorded delay, because exact delays differ between runs. Delays below a second are not
 * shown.
 */
function magnitudeOf(wait: Milliseconds): string | undefined {
  if (wait < SECOND) return undefined;
  return `${10 ** Math.floor(Math.log10(wait / SECOND))} s or more`;
}

/** Returns the comment lines of a cassette, with line numbers. Texts of messages are indented, so they never match. */
export function commentsIn(text: string): { line: number; text: string }[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.startsWith('#') && line.trimEnd() !== TITLE
        ? [{ line: index + 1, text: `${printable(line.trimEnd())}\n` }]
        : [],
    );
}
