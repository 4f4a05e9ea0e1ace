import { otherSide, type Side } from '../../channel/frame.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError, type Place } from '../../kernel/errors.ts';
import { isObject } from '../../protocol/message.ts';
import { isOAuthName } from '../../protocol/oauth-requests.ts';
import type { Fault, FaultKind, FaultTransport } from '../fault.ts';
import { FAULTS, RULE_KINDS } from '../fault-table.ts';
import { count, type Params, word } from './declare-fault-params.ts';
import type { Rule } from './fault-rule.ts';
import { conditionAdvice } from './long-form-advice.ts';
import { senderOf } from './method-sender.ts';
import { type UsesMethod, unknownRuleMethod } from './unknown-rule-method.ts';
import { whyUnsatisfiable } from './unsatisfiable-when.ts';
import type { When } from './when.ts';

export { checkNoticeable } from './check-noticeable.ts';

/** Path of a value from the root of the parsed rules. */
export type Path = readonly (string | number)[];

export interface RulesSource {
  /** Name of the rules in messages, e.g. a file. */
  name: string;
  /** Transport on which the faults will happen. */
  transport: FaultTransport;
  /** Side of a rule, if neither the rule nor its fault names one. Default: the server. */
  from?: Side;
  /** Known faults. Absent: the fault table. */
  kinds?: ReadonlyMap<string, FaultKind>;
  /** Where a rule in the long form belongs, if its user wrote a short one. Absent: the rules are in the long form. */
  longForm?: string;
  /** Reports whether the peers use a method that MCP does not have. Absent: they use none. */
  usesMethod?: UsesMethod | undefined;
  /** Finds the place of a value in the source, for messages. */
  placeOf?(path: Path): Place | undefined;
}

/** Fault rules as written in a scenario or on the command line. */
export interface WrittenFaults {
  seed?: number;
  rules: Rule[];
}

const RULE_KEYS = ['do', 'when', 'times', 'probability'];

/**
 * Reads `{ seed?, faults: [{ do, when?, times?, probability?, …parameters }] }`.
 * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
 */
export function parseFaultRules(value: unknown, source: RulesSource): WrittenFaults {
  const reader = new Reader(source);
  if (!isObject(value)) throw reader.bad([], 'it is not a mapping', 'Write "faults:" and a list of rules.');
  reader.requireKeys(value, ['seed', 'faults'], []);
  const { seed, faults } = value;
  if (!Array.isArray(faults)) throw reader.bad(['faults'], '"faults" is not a list', 'Write "- do: drop".');
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw reader.bad(['seed'], '"seed" is not a whole number', 'Write a number such as 7.');
  const rules = faults.map((rule, index) => reader.rule(rule, ['faults', index]));
  return { rules, ...(seed !== undefined && { seed: seed as number }) };
}

/**
 * Parses the short form of a rule: `fault`, `fault:method` or `fault:method:name=value,name=value`. The method may be
 * empty. Of the conditions beside the method, the short form has `nth` only.
 * @throws McpRecordError as {@link parseFaultRules}
 */
export function parseShortRule(
  text: string,
  transport: FaultTransport,
  {
    name = `the rule ${text}`,
    from,
    longForm = AS_OBJECT,
    usesMethod,
  }: Partial<Pick<RulesSource, 'name' | 'from' | 'longForm' | 'usesMethod'>> = {},
): Rule {
  const [fault = '', method = '', ...rest] = text.split(':');
  const { nth, ...params } = shortParams(rest.join(':'));
  const when = { ...(method !== '' && { method }), ...(nth !== undefined && { nth }) };
  const rule = { do: fault, ...(Object.keys(when).length > 0 && { when }), ...params };
  const reader = new Reader({ name, transport, longForm, usesMethod, ...(from && { from }) });
  if (/^\s*(?:- |\{)/.test(text))
    throw reader.bad(
      [],
      'it is not in the short form',
      `Write ${longForm}. The short form is fault:method:name=value, such as cut:tools/call:nth=2.`,
    );
  if (/=|^\d+$/.test(method))
    throw reader.bad([], `"${method}" is not a method`, `Parameters follow a second colon: ${fault}::name=value.`);
  return reader.rule(rule, []);
}

const AS_OBJECT = 'a rule in braces as an object or a mapping, and not as text';

/** Parses the parameters of a short rule: `name=value,name=value`. */
export function shortParams(text: string): Record<string, unknown> {
  const pairs = text.split(',').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', ...value] = pair.split('=');
      return [key, literal(value.join('='))];
    }),
  );
}

/** Parses numbers as YAML does. Any other value stays text. */
function literal(text: string): unknown {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

class Reader {
  readonly #source: RulesSource;

  constructor(source: RulesSource) {
    this.#source = source;
  }

  rule(value: unknown, path: Path): Rule {
    if (!isObject(value)) throw this.bad(path, 'a rule is a mapping', 'Write, for example, "- do: drop".');
    const kind = this.#kind(value.do, [...path, 'do']);
    const parameters = Object.keys(kind.params);
    this.requireKeys(value, [...RULE_KEYS, ...parameters], path);
    const fault: Fault = { kind, values: this.#values(value, kind.params, path) };
    const { when: written, times, probability } = value;
    const when = written === undefined ? undefined : this.#when(written, [...path, 'when']);
    const unknown = unknownRuleMethod({ ...kind.when, ...when }, this.#source.usesMethod);
    if (unknown) throw this.bad([...path, 'when', 'method'], unknown.why, unknown.next);
    const unfit = unfitFor(fault, when, this.#source.transport);
    if (unfit !== undefined) throw this.bad([...path, 'do'], ...unfit, 'FAULT_NO_MEANING');
    this.#requireSatisfiable(fault, when, path);
    if (times !== undefined && (!Number.isSafeInteger(times) || (times as number) < 0))
      throw this.bad([...path, 'times'], '"times" is not a whole number from 0', 'Leave it out for every match.');
    if (probability !== undefined && !isProbability(probability))
      throw this.bad([...path, 'probability'], '"probability" is not from 0 to 1', 'Write, for example, 0.3.');
    return {
      fault,
      ...(when && { when }),
      ...(times !== undefined && { times: times as number }),
      ...(probability !== undefined && { probability: probability as number }),
    };
  }

  #requireSatisfiable(fault: Fault, own: When | undefined, path: Path): void {
    const { transport, from: side = 'server' } = this.#source;
    const { kind } = fault;
    const when: When = { from: side, ...kind.when, ...own };
    const from = otherSide(when.from!);
    const isForOther = () =>
      whyUnsatisfiable({ ...when, from }) === undefined && unfitFor(fault, { ...own, from }, transport) === undefined;
    const impossible = whyUnsatisfiable(when);
    if (impossible !== undefined) {
      const next = isForOther()
        ? `Write "from: ${from}" in "when".`
        : `"${kind.name}" is about ${describedBy(kind.when)} unless "when" says otherwise.`;
      throw this.bad([...path, own ? 'when' : 'do'], `the rule could never fire: ${impossible}`, next);
    }
    // Most responses come from the server, but this fault applies to client messages by default. The rule must name a
    // side.
    if (kind.when?.from !== 'client' || own?.kind !== 'response' || own.from !== undefined || !isForOther()) return;
    if (senderOf(own.method ?? '') !== undefined) return;
    const why = `"${kind.name}" is about messages of the client, and most responses are those of the server`;
    throw this.bad([...path, 'when'], why, 'Write "from: server" or "from: client" in "when".');
  }

  requireKeys(value: Record<string, unknown>, known: readonly string[], path: Path): void {
    const unknown = Object.keys(value).find((key) => !known.includes(key));
    if (unknown === undefined) return;
    const meant = didYouMean(unknown, known);
    const isCondition = known.includes('when') && Object.hasOwn(WHEN, unknown);
    const others = meant ? `Did you mean "${meant}"?` : `It may have: ${known.join(', ')}.`;
    const next = isCondition ? conditionAdvice(value, known, this.#source.longForm) : others;
    throw this.bad([...path, unknown], `nothing is called "${unknown}" here`, next);
  }

  bad(path: Path, why: string, next: string, code = 'FAULT_BAD_RULE'): McpRecordError {
    const place = this.#source.placeOf?.(path);
    return new McpRecordError({
      code,
      what: `Cannot use the faults of ${this.#source.name}`,
      why,
      next,
      ...(place && { place }),
    });
  }

  #kind(name: unknown, path: Path): FaultKind {
    const { kinds } = this.#source;
    const names = [...(kinds ?? FAULTS).keys()];
    const kind = typeof name === 'string' ? (kinds ?? RULE_KINDS).get(name) : undefined;
    if (kind === undefined) {
      const meant = typeof name === 'string' ? didYouMean(name, names) : undefined;
      const why = name === undefined ? 'a rule does not say what to do' : `there is no fault ${JSON.stringify(name)}`;
      throw this.bad(
        path,
        why,
        meant ? `Did you mean "${meant}"?` : `There are: ${names.join(', ')}.`,
        'FAULT_UNKNOWN',
      );
    }
    const { transport } = this.#source;
    if (kind.transports.includes(transport)) return kind;
    const why = `"${kind.name}" has no meaning over ${transport}`;
    throw this.bad(path, why, `It works over ${kind.transports.join(', ')}.`, 'FAULT_NO_MEANING');
  }

  #values(value: Record<string, unknown>, params: Params, path: Path): Record<string, unknown> {
    const values = Object.entries(params).map(([name, param]) => {
      const written = value[name];
      const isMissing = written === undefined;
      if (isMissing && 'fallback' in param) return [name, param.fallback];
      const read = isMissing ? undefined : param.read(written);
      if (read !== undefined) return [name, read];
      const why = isMissing ? `"${name}" is missing` : `"${name}" is ${JSON.stringify(written)}`;
      throw this.bad([...path, name], why, `It has to be ${param.wanted}: ${param.doc}.`);
    });
    return Object.fromEntries(values);
  }

  #when(value: unknown, path: Path): When {
    if (!isObject(value)) throw this.bad(path, '"when" is not a mapping', 'Write, for example, "method: tools/call".');
    this.requireKeys(value, Object.keys(WHEN), path);
    for (const [key, one] of Object.entries(value)) {
      const wanted = WHEN[key as keyof When];
      if (wanted.read(one) !== undefined) continue;
      throw this.bad([...path, key], `"${key}" is ${JSON.stringify(one)}`, `It has to be ${wanted.wanted}.`);
    }
    return value;
  }
}

const NAME = {
  doc: '',
  wanted: 'text',
  read: (value: unknown) => (typeof value === 'string' ? value : undefined),
};
const POINTERS = {
  doc: '',
  wanted: 'JSON Pointers and their values, such as /params/name: search',
  read: (value: unknown) =>
    isObject(value) && Object.keys(value).every((key) => key === '' || key.startsWith('/')) ? value : undefined,
};

const WHEN: { [Key in keyof Required<When>]: Params[string] } = {
  from: word('', 'client', 'server'),
  kind: word('', 'request', 'response', 'notification', 'end', 'open', 'authorization', 'start'),
  method: NAME,
  tool: NAME,
  prompt: NAME,
  resource: NAME,
  at: POINTERS,
  stream: count('', 1),
  nth: count('', 1),
  after: count('', 0),
  line: count('', 1),
};

function describedBy(when: When = {}): string {
  const all = Object.entries(when).map(([key, value]) => `"${key}: ${value}"`);
  return all.length === 0 ? 'every message of the server' : all.join(', ');
}

function isProbability(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

const SEE = 'See docs/fault-list.md for each fault and its parameters.';

/** Reports whether messages can satisfy a condition. Requests of an authorization flow are not messages. */
function canSelectMessages({ kind, from }: When): boolean {
  if (kind === 'authorization') return from !== 'client';
  return kind !== 'end' && kind !== 'open' && kind !== 'start';
}

/** Returns the reason why a fault makes no sense in its rule, with advice. */
export function unfitFor(
  { kind, values }: Fault,
  own: When | undefined,
  transport: FaultTransport,
): [why: string, next: string] | undefined {
  const when: When = { ...kind.when, ...own };
  const unfit = kind.unfit?.({ values, when, transport });
  if (unfit !== undefined) {
    const [why, next] = typeof unfit === 'string' ? [unfit, SEE] : unfit;
    return [`"${kind.name}" has no meaning in this rule: ${why}`, next];
  }
  if (kind.isOfMessages && !canSelectMessages(when))
    return [`"${kind.name}" changes messages, and "kind: ${when.kind}" is none`, 'Leave out "kind".'];
  if (when.kind === 'start' && kind.when?.kind !== 'start')
    return [
      `"${kind.name}" needs a frame, and at the start of the server there is none`,
      'Leave "kind: start" to "down".',
    ];
  if (transport === 'http') return undefined;
  if (when.kind === 'authorization' || isOAuthName(when.method))
    return [`over ${transport} there is no authorization`, 'Serve over HTTP for it.'];
  if (when.kind !== 'open' && when.stream === undefined) return undefined;
  return [`over ${transport} there are no exchanges of HTTP`, 'Leave out "stream", and "kind: open".'];
}
