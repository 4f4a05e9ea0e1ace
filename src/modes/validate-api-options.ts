import { brief } from '../journal/partial-match.ts';
import { didYouMean } from '../kernel/did-you-mean.ts';
import { McpRecordError, messageOf } from '../kernel/errors.ts';
import { compileLinear, matchesEveryText } from '../kernel/linear-regex.ts';
import { isRegExp } from '../kernel/platform/other-realms.ts';
import { checkPartPointer } from '../protocol/json-pointer.ts';
import { isObject } from '../protocol/message.ts';
import { isRequestMethod, METHOD_NAMES } from '../protocol/method-table.ts';
import { REVISIONS } from '../protocol/revisions.ts';

const REACTIONS = ['fail', 'report'];

/** Options with a fixed set of values, by name. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  onMiss: REACTIONS,
  onUnused: REACTIONS,
  onDifference: REACTIONS,
  onUnfired: REACTIONS,
  failOn: ['any', 'breaking'],
  over: ['memory', 'http', 'stdio'],
  responseMode: ['auto', 'sse'],
  protocolVersion: REVISIONS,
  requestIds: ['number', 'string'],
  side: ['client', 'server'],
};

/** Options that are a duration in milliseconds. */
const DURATIONS: readonly string[] = ['expires', 'patience', 'timeMax'];
const SWITCHES: readonly string[] = ['strict', 'otherRequests', 'update'];

const REPEATS: readonly unknown[] = ['once', 'last', 'cycle'];
const LISTS: readonly string[] = ['faults', 'handlers', 'ignore', 'handles', 'allowNotifications'];

const EXPECTATIONS: readonly string[] = ['onMiss', 'onUnused', 'onDifference', 'onUnfired'];
const PLAYED: readonly string[] = [...EXPECTATIONS, 'cassette', 'timing', 'ignore', 'repeat', 'clock'];
const RECORDED: readonly string[] = ['mode', 'env', 'update', 'expires', 'redact'];
const DESCRIBED: readonly string[] = ['serverInfo', 'capabilities', 'instructions'];
const MOCKED = [...PLAYED, ...DESCRIBED, 'handlers', 'faults', 'seed', 'over', 'auth', 'responseMode'];

/** An API that takes options, as messages call it. */
export type OptionTaker =
  | 'session'
  | 'endpoint'
  | 'mock server'
  | 'mock server over stdio'
  | 'mock client'
  | 'pair of linked transports'
  | 'recorded transport'
  | 'verification';

const OPTIONS: Readonly<Record<OptionTaker, readonly string[]>> = {
  session: [...PLAYED, ...RECORDED, 'server', 'faults', 'seed', 'handles', 'name'],
  endpoint: [...PLAYED, ...RECORDED, ...DESCRIBED, 'handlers'],
  'mock server': MOCKED,
  'mock server over stdio': MOCKED.filter((name) => name !== 'clock'),
  'mock client': [
    ...['server', 'handlers', 'cassette', 'clientInfo', 'capabilities', 'protocolVersion', 'requestIds', 'clock'],
    ...EXPECTATIONS.slice(0, -1),
  ],
  'pair of linked transports': ['faults', 'seed', 'clock'],
  'recorded transport': ['side', 'redact'],
  verification: [
    ...['ignore', 'failOn', 'handles', 'timing', 'otherRequests', 'patience', 'timeMax', 'slower'],
    ...['allowNotifications', 'strict', 'secrets', 'clock'],
  ],
};

const NAMES: readonly string[] = [...new Set(Object.values(OPTIONS).flat())];

/**
 * Checks options that decide what fails a test: without types a wrong name or value would switch a check off in silence.
 * Refuses names of other APIs' options and names like them, and with `areAll` every other unknown name.
 * @throws McpRecordError OPTION_UNKNOWN, OPTION_BAD_VALUE, USAGE_BAD_POINTER
 */
export function validateApiOptions(
  options: object,
  taker: OptionTaker,
  { areAll = false }: { areAll?: boolean } = {},
): void {
  checkOptions(options);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    checkName(name, taker, areAll);
    const why = troubleWith(name, value);
    if (why !== undefined) throw name === 'server' ? badServer(value) : badValue(name, value, why);
    if (name === 'ignore') for (const one of value) if (typeof one === 'string') checkPartPointer(one);
  }
}

/**
 * Returns options that are an object. Without types, anything may stand in their place.
 * @throws McpRecordError OPTION_BAD_VALUE
 */
export function checkOptions<Options>(options: Options): Options & object {
  if (isObject(options)) return options;
  const { problem } = badValue('', options, 'an object with options was expected');
  const next = typeof options === 'function' ? IN_PROCESS : problem.next;
  throw new McpRecordError({ ...problem, what: `Cannot use options: ${shown(options)}`, next });
}

/**
 * Checks the server that a test starts: a command, a URL, or a function.
 * @throws McpRecordError OPTION_BAD_VALUE
 */
export function checkTestedServer(server: unknown): void {
  if (typeof server !== 'function' && !isServer(server))
    throw badServer(server, `${WANTED_SERVER}, or a function: (transport) => server.connect(transport)`);
}

/**
 * Checks a transport that is to be recorded: anything else would fail only when a client starts it.
 * @throws McpRecordError OPTION_BAD_VALUE
 */
export function checkTransport(transport: unknown): void {
  const { start, send } = isObject(transport) ? transport : {};
  if (typeof start === 'function' && typeof send === 'function') return;
  const { problem } = badValue('', transport, 'it is no transport: it has no start and no send');
  throw new McpRecordError({
    ...problem,
    what: `Cannot record ${shown(transport)}`,
    next: 'Give a transport of an SDK, for example new StdioClientTransport({ command }), then the path of the cassette.',
  });
}

/**
 * Checks how a test has ended, as given to `finish`. A test that has not passed keeps no recording, and is asked for less.
 * @throws McpRecordError OPTION_BAD_VALUE
 */
export function checkTestEnd(run: unknown): void {
  if (isObject(run) && typeof run.passed === 'boolean') return;
  const { problem } = badValue(
    'passed',
    isObject(run) ? run.passed : run,
    'finish has to know whether the test has passed',
  );
  throw new McpRecordError({
    ...problem,
    next: 'Call it as await mcp.finish({ passed: true }), or with false after a failure.',
  });
}

/**
 * Checks the owner of a test's cassettes.
 * @throws McpRecordError OPTION_BAD_VALUE
 */
export function checkOwner(owner: unknown): void {
  const { file, names } = isObject(owner) ? owner : {};
  if (typeof file !== 'string' || file === '') throw badOwner('file', file, 'it has to be the path of the test file');
  if (!Array.isArray(names) || names.length === 0 || !names.every((one) => typeof one === 'string'))
    throw badOwner('names', names, 'it has to be a list with the name of the test');
}

function badOwner(name: string, value: unknown, why: string): McpRecordError {
  const next = "Give both: { file: import.meta.filename, names: ['the name of the test'] }.";
  return new McpRecordError({ ...badValue(name, value, why).problem, next });
}

/**
 * Checks that a second argument with options comes with a cassette only.
 * @throws McpRecordError OPTION_BAD_VALUE
 */
export function checkSecondOptions(hasCassette: boolean, options: object): void {
  checkOptions(options);
  const [name] = hasCassette ? [] : Object.keys(options);
  if (name === undefined) return;
  const { problem } = badValue(name, (options as Record<string, unknown>)[name], 'the first argument has the options');
  throw new McpRecordError({ ...problem, next: `Put ${name} into the first argument.` });
}

function checkName(name: string, taker: OptionTaker, areAll: boolean): void {
  const own = OPTIONS[taker];
  if (own.includes(name)) return;
  const isOfAnother = NAMES.includes(name);
  const meant = isOfAnother ? undefined : didYouMean(name, own, name.length < 6 ? 1 : 2);
  if (meant === undefined && !isOfAnother && !areAll) return;
  const what = taker === 'endpoint' ? 'an endpoint' : `a ${taker}`;
  throw new McpRecordError({
    code: 'OPTION_UNKNOWN',
    what: `Cannot use the option ${name}`,
    why: isOfAnother ? `${what} has no such option` : 'there is no option with this name',
    next: meant === undefined ? adviceOnUnknown(name, own, what) : `Did you mean ${meant}?`,
  });
}

/** Options of `openSession` that the fixture of a test sets itself. */
const OF_OPEN_SESSION: readonly string[] = ['server', 'update', 'clock'];

function adviceOnUnknown(name: string, own: readonly string[], what: string): string {
  const isOfServer = ['url', 'command', 'args'].includes(name) && own.includes('server');
  if (isOfServer) return `Put it into the option server: { ${name}: … }.`;
  if (what !== 'a session') return `The options of ${what} are ${own.join(', ')}.`;
  if (name === 'handlers') return 'A mock server answers from handlers: mcp.server(CASSETTE, { handlers }).';
  const shared = own.filter((one) => !OF_OPEN_SESSION.includes(one)).join(', ');
  return `The options of a session are ${shared}. openSession also has ${OF_OPEN_SESSION.join(', ')}.`;
}

/** Returns the error for a server that cannot be started here. Functions that play a client also take a function. */
function badServer(value: unknown, why = WANTED_SERVER): McpRecordError {
  const { problem } = badValue('server', value, why);
  return new McpRecordError({ ...problem, ...(typeof value === 'function' && { next: IN_PROCESS }) });
}

const IN_PROCESS =
  'To connect a client to a server in this process, use linkedTransports of mcp-record/sdk: see docs/sdk-transports.md. To call it from the test, use mcp.mockClient({ server: (transport) => server.connect(transport) }).';

const WANTED_SERVER =
  "it has to be a command, as { command: 'node', args: ['server.js'] }, or a URL, as { url: 'http://127.0.0.1:3000/mcp' }";

function badValue(name: string, value: unknown, why: string): McpRecordError {
  return new McpRecordError({
    code: 'OPTION_BAD_VALUE',
    what: `Cannot use the option ${name}: ${shown(value)}`,
    why,
    next:
      name === 'ignore'
        ? 'See docs/matching.md for the forms of rules.'
        : 'See docs/mock.md and docs/vitest-reference.md for the options and their values.',
  });
}

function troubleWith(name: string, value: unknown): string | undefined {
  const values = VALUES[name];
  if (values !== undefined && !values.includes(value as string)) return `its values are ${values.join(', ')}`;
  if (name === 'repeat') return troubleWithRepeat(value);
  if (LISTS.includes(name) && !Array.isArray(value)) return 'it has to be a list';
  if (DURATIONS.includes(name) && !(typeof value === 'number' && value >= 0))
    return 'it has to be a number of milliseconds';
  if (SWITCHES.includes(name) && typeof value !== 'boolean') return 'its values are true and false';
  if (name === 'seed' && !Number.isFinite(value)) return 'it has to be a number';
  if (name === 'redact' && typeof value !== 'boolean' && !isObject(value))
    return 'its values are true, false and an object with rules';
  if (name === 'env' && !isObject(value)) return 'it has to be an object, as process.env';
  if (name === 'clock' && !(isObject(value) && typeof value.now === 'function'))
    return 'it has to be a clock, as mcp.clock() returns';
  if (name === 'ignore') return troubleWithIgnore(value as readonly unknown[]);
  if (name === 'allowNotifications' && (value as unknown[]).some((one) => typeof one !== 'string'))
    return 'its items are methods, such as notifications/tools/list_changed';
  if (name === 'secrets') return troubleWithSecrets(value);
  if (name === 'server' && !isServer(value)) return WANTED_SERVER;
  if (name === 'slower' && !(typeof value === 'number' && value >= 1)) return 'it has to be a number of at least 1';
  return name === 'timing' && !isTiming(value)
    ? 'its values are instant, recorded, { factor } and { cap }, with numbers'
    : undefined;
}

function troubleWithIgnore(rules: readonly unknown[]): string | undefined {
  for (const rule of rules) {
    if (isRegExp(rule)) {
      const trouble = troubleWithExpression(rule);
      if (trouble !== undefined) return trouble;
    } else if (typeof rule !== 'string' && typeof rule !== 'function')
      return 'its items are JSON Pointers, regular expressions and functions';
  }
  return undefined;
}

function troubleWithSecrets(secrets: unknown): string | undefined {
  const isRecord =
    isObject(secrets) && Object.values(secrets).every((one) => ['string', 'undefined'].includes(typeof one));
  return isRecord
    ? undefined
    : 'it has to be an object with a text for each name, as { API_TOKEN: process.env.API_TOKEN }';
}

function troubleWithExpression(rule: RegExp): string | undefined {
  try {
    return matchesEveryText(compileLinear(rule))
      ? `${rule} matches every text, so that no text would be compared. Write the form of what changes, or a JSON Pointer of its place`
      : undefined;
  } catch (error) {
    return `${rule} cannot be used: ${messageOf(error)}. Expressions of RE2 have no lookarounds and no back references`;
  }
}

function isServer(value: unknown): boolean {
  return isObject(value) && [value.command, value.url].some((place) => typeof place === 'string' && place !== '');
}

function troubleWithRepeat(value: unknown): string | undefined {
  const byMethod = isObject(value) ? value : { 'tools/call': value };
  if (!Object.values(byMethod).every((one) => REPEATS.includes(one)))
    return `its values are ${REPEATS.join(', ')}, or one of them by method`;
  const misspelt = Object.keys(byMethod).find(
    (method) => !isRequestMethod(method) && didYouMean(method, METHOD_NAMES, 2),
  );
  return misspelt === undefined
    ? undefined
    : `there is no method "${misspelt}": did you mean "${didYouMean(misspelt, METHOD_NAMES, 2)}"?`;
}

function isTiming(value: unknown): boolean {
  if (value === 'instant' || value === 'recorded') return true;
  const { factor, cap } = isObject(value) ? value : {};
  return [factor, cap].some((number) => typeof number === 'number' && number >= 0);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, one) => (isRegExp(one) ? String(one) : one));
  return typeof value === 'function' ? 'a function' : brief(text ?? String(value));
}
