import { elementsIn, JSON_DEPTH_MAX, literalEnd, skipSpace, stringEnd, valueEnd } from '../../protocol/json-scan.ts';
import { mapEdits } from '../decode/decoded-text-offsets.ts';
import { allPlaceholdersIn } from '../decode/find-encoded-placeholders.ts';
import { mayHideToken } from '../decode/html-entities.ts';
import { encodingFreeSpans, insideJsonString, jsonString } from '../decode/json-string-offsets.ts';
import { type Certainty, credentialNamed } from '../detect/credential-names.ts';
import { secretsBeside } from '../detect/listed-name-value-pairs.ts';
import { isNumericSecret, looksGenerated } from '../detect/plausibility.ts';
import { secretsWithin } from '../detect/secrets-in-credential.ts';
import { type ScanResult, scanText, scanTrigrams } from '../fast-prefilter/trigram-scan.ts';
import { isProtocolName, isProtocolWord } from '../rules/protocol-defined-values.ts';
import {
  isProtocolKey,
  isProtocolValue,
  isPublicVersion,
  isRedactableByRule,
  isSchemaKey,
} from '../rules/protocol-fields.ts';
import { KNOWN_VALUE_LENGTH_MIN } from './known-values.ts';
import type { SecretMatch } from './secret-match.ts';
import { type DetectionContext, editsOf, knownNumber, NESTING_MAX } from './shared-detector-state.ts';
import type { TextEdit } from './text-edit.ts';

/** Context of a value in the JSON text. */
interface Place {
  /** Parent of the value, and the value's key or index (`step`). Absent at the root of a message. */
  around?: Place;
  step?: string | number;
  depth: number;
  /** Whether the value is inside a JSON Schema, where keys are names of properties. */
  isSchema: boolean;
  /** Credential named by the key of the value or of an enclosing value. */
  credential?: Credential | undefined;
  /** Whether the value is visited again as part of a name-value pair. */
  isPaired?: boolean | undefined;
  /** Name given by a user rule that redacts the whole value. */
  taken?: string | undefined;
}

interface Credential {
  name: string;
  certainty: Certainty;
}

/** Maximum length of a string for a separate prefilter scan. The text search scans longer strings itself. */
const SURVEYED_LENGTH_MAX = 16_384;

const ROOT: Place = { depth: 0, isSchema: false };
const PAIR_NAMES: ReadonlySet<string> = new Set([
  ...['name', 'key', 'header', 'variable', 'field', 'id', 'label', 'column', 'param', 'parameter', 'setting'],
  ...['Name', 'Key'],
]);
const PAIR_VALUES: ReadonlySet<string> = new Set(['value', 'values', 'val', 'Value']);

/**
 * Returns edits that remove all secrets from `text`, which must be valid JSON. Only strings and secret numbers are
 * edited. Keys, their order, white space and all other tokens stay unchanged. In a message (`isMessage`), protocol
 * values stay, too.
 */
export function jsonEdits(text: string, search: DetectionContext, nesting: number, isMessage: boolean): TextEdit[] {
  const edits: TextEdit[] = [];
  const { rules, marks } = search;
  const isPlain = encodingFreeSpans(text);

  /** Adds edits one by one: `push(...more)` fails for more secrets than a call has arguments. */
  function add(more: readonly TextEdit[]): void {
    for (const edit of more) edits.push(edit);
  }

  function value(at: number, place: Place): number {
    const isContainer = text[at] === '{' || text[at] === '[';
    const taken = rules.isEmpty ? undefined : takenBy(place, isContainer);
    const here = taken === place.taken ? place : { ...place, taken };
    if (isContainer && here.depth >= JSON_DEPTH_MAX) return deep(at);
    if (text[at] === '{') return object(at, here);
    if (text[at] === '[') return list(at, here);
    if (text[at] !== '"') return number(at, here);
    const end = stringEnd(text, at);
    string(at, end, here);
    return end;
  }

  /**
   * Returns the name that a user rule gives to a value. Rules for a key or a whole subtree do not apply to protocol
   * names.
   */
  function takenBy(place: Place, isContainer: boolean): string | undefined {
    const path = pathOf(place);
    const isNamed = () => isMessage && !isContainer && isProtocolName(path, messageText());
    if (place.taken !== undefined) return isNamed() ? undefined : place.taken;
    return rules.place(path, { isSchema: place.isSchema, isContainer, isNamed });
  }

  /** Searches a value as plain text, because its nesting is too deep. */
  function deep(start: number): number {
    const end = valueEnd(text, start);
    const inner = text.slice(start, end);
    const layer = { text: inner, outer: (at: number) => start + at };
    add(mapEdits(layer, search.inText(inner, NESTING_MAX)));
    return end;
  }

  function object(at: number, place: Place): number {
    let pair: string | undefined;
    let paired: { start: number; place: Place } | undefined;
    for (at = skipSpace(text, at + 1); text[at] === '"'; at = skipSpace(text, at + 1)) {
      const keyEnd = stringEnd(text, at);
      const key = jsonString(text, at, keyEnd).text;
      look(at, keyEnd, place, isSecretInKey);
      const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
      const inner = below(place, key);
      const end = value(start, inner);
      if (text[start] === '"' && PAIR_NAMES.has(key)) pair = jsonString(text, start, end).text;
      if (PAIR_VALUES.has(key) && /["[{\d]/.test(text[start]!)) paired = { start, place: inner };
      at = skipSpace(text, end);
      if (text[at] !== ',') break;
    }
    const credential = pair === undefined || place.isSchema || !search.isBuiltIn ? undefined : credentialOf(pair);
    // Only one level of pairs is visited twice: nested pairs would double the work at each level.
    if (credential && paired && !place.isPaired)
      value(paired.start, { ...paired.place, isPaired: true, credential: valued(credential, paired.start) });
    return at + 1;
  }

  /** Returns the credential of a pair's value. A string or number may be the secret; an object or list usually contains names. */
  function valued(credential: Credential, start: number): Credential {
    return /["\d]/.test(text[start]!) ? credential : { ...credential, certainty: 'if made' };
  }

  function below(around: Place, step: string): Place {
    const isSchema = around.isSchema || (isMessage && isSchemaKey(step));
    const credential = isSchema || !search.isBuiltIn ? undefined : (credentialOf(step) ?? valueIn(around, step));
    const { isPaired, taken } = around;
    return { around, step, depth: around.depth + 1, isSchema, credential, isPaired, taken };
  }

  function list(at: number, around: Place): number {
    let option: Credential | undefined;
    let name: string | undefined;
    let step = 0;
    for (at = skipSpace(text, at + 1); text[at] !== ']'; at = skipSpace(text, at + 1)) {
      const credential = around.credential ?? (text.startsWith('"--', at) ? undefined : option);
      const end = value(at, { ...around, around, step, depth: around.depth + 1, credential });
      if (name !== undefined && text[at] === '"' && search.isBuiltIn) beside(name, at, end);
      option = text.startsWith('"-', at) ? credentialOf(text.slice(at + 1, end - 1)) : undefined;
      const isName = step % 2 === 0 && text[at] === '"' && !around.isSchema;
      name = isName ? text.slice(at + 1, end - 1) : undefined;
      step++;
      at = skipSpace(text, end);
      if (text[at] !== ',') break;
    }
    return at + 1;
  }

  /** Searches a value that follows its name in a list: `["X-Api-Key", "…"]`. */
  function beside(name: string, start: number, end: number): void {
    if (end - start - 2 < KNOWN_VALUE_LENGTH_MIN || credentialNamed(name) === undefined) return;
    const layer = jsonString(text, start, end);
    const finds = secretsBeside(name, layer.text).map((span) => ({ name, ...span }));
    add(mapEdits(layer, editsOf(layer.text, finds, search)));
  }

  function number(at: number, place: Place): number {
    const { taken, credential } = place;
    const end = literalEnd(text, at);
    const lexeme = text.slice(at, end);
    const name = taken ?? (credential && isNumericSecret(credential, lexeme) ? credential.name : undefined);
    if (!/\d/.test(lexeme) || (name === undefined && isKept(place))) return end;
    if (taken !== undefined && isKept(place) && !isRedactableByRule(String(place.step))) {
      search.reportUnredactable({ name: taken, path: pathOf(place) });
      return end;
    }
    const redact = taken === undefined ? search.redact : search.redactByRule;
    const instead = name === undefined ? knownNumber(lexeme, search) : redact(name, lexeme);
    if (instead === undefined) return end;
    search.noteNumber(instead);
    edits.push({ start: at, end, text: `"${instead}"` });
    return end;
  }

  function string(start: number, end: number, place: Place): void {
    const { taken, credential } = place;
    if (!rules.isEmpty && isKept(place)) return protocolValue(start, end, place);
    if (taken === undefined && credential === undefined) return look(start, end, place);
    if (isWord(start, end, place)) return;
    const layer = jsonString(text, start, end);
    if (isKept(place)) return search.keep(layer.text, String(place.step));
    const finds = taken === undefined ? named(layer.text, credential!) : [whole(layer.text, taken)];
    const redact = taken === undefined ? search.redact : search.redactByRule;
    add(mapEdits(layer, editsOf(layer.text, finds, { ...search, redact })));
    if (finds.length === 0) look(start, end, place);
  }

  /** Redacts a protocol string by user rules. A string that the session needs for playback is kept and reported. */
  function protocolValue(start: number, end: number, place: Place): void {
    const key = String(place.step);
    const path = pathOf(place);
    const layer = jsonString(text, start, end);
    const found =
      place.taken === undefined
        ? search.byRules(layer.text, { path })
        : editsOf(layer.text, [whole(layer.text, place.taken)], { ...search, redact: search.redactByRule });
    if (found.length > 0 && isRedactableByRule(key)) return add(mapEdits(layer, found, insideJsonString));
    search.keep(layer.text, key);
    if (found.length === 0 || isPublicVersion(key, layer.text)) return;
    const name = place.taken ?? nameIn(found[0]!.text);
    search.reportUnredactable({ name, path });
  }

  /** Searches a string, or a key of `place`. `isSecret` filters the matches in a key. */
  function look(start: number, end: number, place: Place, isSecret?: typeof isSecretInKey): void {
    const isShort = end - start <= SURVEYED_LENGTH_MAX;
    if (isShort && rules.isEmpty && isPlain(start, end) && scanTrigrams(text, marks, start, end) === 0) return;
    const layer = jsonString(text, start, end);
    if (isKept(place)) return search.keep(layer.text, String(place.step));
    const found = search.inText(layer.text, nesting, rules.isEmpty ? undefined : { path: pathOf(place) });
    if (found.length === 0 || (!isSecret && isWord(start, end, place))) return;
    const secret = isSecret
      ? found.filter((edit) => isSecret(layer.text.slice(edit.start, edit.end), layer.text))
      : found;
    add(mapEdits(layer, secret, insideJsonString));
  }

  function isKept(place: Place): boolean {
    return isMessage && isProtocolKey(place.step) && isProtocolValue(pathOf(place));
  }

  /** Reports whether a string is a word defined by the protocol, which is never a secret. */
  function isWord(start: number, end: number, place: Place): boolean {
    return isMessage && isProtocolWord(pathOf(place), text.slice(start + 1, end - 1), messageText());
  }

  /** Offset of the message being searched. */
  let from = 0;
  const messages = isMessage ? elementsIn(text) : [];
  const messageText = () => text.slice(from, valueEnd(text, from));
  for (from of messages.length === 0 ? [skipSpace(text, 0)] : messages.map(({ start }) => start)) value(from, ROOT);
  return edits;
}

/**
 * Reports whether a match in a key is a secret. An identifier is not, even if it equals a secret elsewhere:
 * `password=inputSchema`.
 */
function isSecretInKey(found: string, key: string): boolean {
  const isName = /^[A-Za-z_$][\w$.-]*(?:\/[\w$.-]+)?$/.test(key);
  return !isName || (looksGenerated(found) && /\d/.test(found));
}

function pathOf({ around, step }: Place): (string | number)[] {
  return around === undefined ? [] : [...pathOf(around), step!];
}

function credentialOf(name: string): Credential | undefined {
  const certainty = credentialNamed(name);
  return certainty && { name, certainty };
}

/**
 * Returns the credential of a value that is wrapped in an object: `{ "password": { "value": … } }`, or `{
 * "stringValue": … }` of OpenTelemetry. Other members may describe the value.
 */
function valueIn({ credential }: Place, step: string): Credential | undefined {
  if (credential === undefined || !/^(?:value|string_?value|plain(?:_?text)?|raw|current|new|old)$/i.test(step))
    return undefined;
  const holds = credential.certainty !== 'perhaps' || /^(?:secret|credential)s?$/i.test(credential.name);
  return holds ? { ...credential, certainty: 'if made' } : undefined;
}

function named(text: string, { name, certainty }: Credential): SecretMatch[] {
  return secretsWithin(name, text, certainty).map((span) => ({ name, ...span }));
}

/** Returns the name in the placeholder of a replacement. The placeholder may be encoded. */
function nameIn(instead: string): string {
  return allPlaceholdersIn(instead)[0]?.name ?? 'encoded';
}

function whole(text: string, name: string): SecretMatch {
  return { name, start: 0, end: text.length };
}

/**
 * Scans the JSON `text` with the prefilter. Undefined if the prefilter cannot decide, because of encoded text, an `@`
 * or a user rule.
 */
export function mayHold(text: string, { marks, rules }: DetectionContext): ScanResult | undefined {
  if (!rules.isEmpty || ['%', '@', '\0'].some((character) => text.includes(character))) return undefined;
  if (mayHideToken(text)) return undefined;
  if (text.includes('\\') && /\\[\\u/]/.test(text)) return undefined;
  return scanText(text, marks);
}
