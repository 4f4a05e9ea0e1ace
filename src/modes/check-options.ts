import { didYouMean } from '../kernel/did-you-mean.ts';
import { McpRecordError } from '../kernel/errors.ts';

const REACTIONS = ['fail', 'report'];

/** Options with a few values, by name. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  onMiss: REACTIONS,
  onUnused: REACTIONS,
  onDifference: REACTIONS,
  onUnfired: REACTIONS,
  repeat: ['last'],
  over: ['memory', 'http', 'stdio'],
};

const LISTS: readonly string[] = ['faults', 'handlers', 'ignore', 'handles'];

/** The options of sessions, mock servers, endpoints and verification together. */
const NAMES: readonly string[] = [
  ...Object.keys(VALUES),
  ...LISTS,
  ...['cassette', 'server', 'mode', 'env', 'update', 'expires', 'timing', 'redact', 'seed', 'clock', 'name'],
  ...['serverInfo', 'capabilities', 'instructions'],
  ...['patience', 'timeMax', 'strict', 'otherRequests', 'fetch', 'passed'],
];

/**
 * Checks options that decide what fails a test: without types a wrong name or value would switch a check off in silence.
 * A name is refused if it is like that of an option; others are left to who gives them.
 * @throws McpRecordError OPTION_UNKNOWN, OPTION_BAD_VALUE
 */
export function checkOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    checkName(name);
    const why = troubleWith(name, value);
    if (why !== undefined)
      throw new McpRecordError({
        code: 'OPTION_BAD_VALUE',
        what: `Cannot use the option ${name}: ${shown(value)}`,
        why,
        next: 'See docs/vitest.md for the options and their values.',
      });
  }
}

function checkName(name: string): void {
  if (NAMES.includes(name)) return;
  const meant = didYouMean(name, NAMES, name.length < 6 ? 1 : 2);
  if (meant === undefined) return;
  throw new McpRecordError({
    code: 'OPTION_UNKNOWN',
    what: `Cannot use the option ${name}`,
    why: 'there is none of this name',
    next: `Did you mean ${meant}?`,
  });
}

function troubleWith(name: string, value: unknown): string | undefined {
  const values = VALUES[name];
  if (values !== undefined && !values.includes(value as string)) return `its values are ${values.join(', ')}`;
  if (LISTS.includes(name) && !Array.isArray(value)) return 'it is a list';
  return name === 'timing' && !isTiming(value)
    ? 'its values are instant, recorded, { factor } and { cap }, with numbers'
    : undefined;
}

function isTiming(value: unknown): boolean {
  if (value === 'instant' || value === 'recorded') return true;
  if (typeof value !== 'object' || value === null) return false;
  const { factor, cap } = value as { factor?: unknown; cap?: unknown };
  return [factor, cap].some((number) => typeof number === 'number' && number >= 0);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
