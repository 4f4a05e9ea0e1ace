import {
  elementsIn,
  JSON_DEPTH_MAX,
  type JsonPath,
  literalEnd,
  skipSpace,
  stringEnd,
  valueEnd,
} from '../protocol/json-scan.ts';
import { type Certainty, credentialNamed } from './credential-names.ts';
import { secretsWithin } from './credential-value.ts';
import type { Edit } from './edit.ts';
import type { Find } from './find.ts';
import { insideJsonString, jsonString } from './json-string.ts';
import { type Layer, lifted } from './layer.ts';
import { isProtocolValue, isSchemaKey } from './protocol-value.ts';
import { editsOf, type Search } from './search.ts';
import { MAY_HOLD, survey } from './survey.ts';

/** What is known of the place in which a value stands. */
interface Place {
  path: JsonPath;
  /** Inside a message: some values are the protocol's. */
  isMessage: boolean;
  /** Inside a JSON Schema: names are not those of values. */
  isSchema: boolean;
  /** The name of a credential that the value stands under. */
  credential?: { name: string; certainty: Certainty } | undefined;
  /** A rule of the user takes all that stands here, by this name. */
  taken?: string | undefined;
}

const PAIR_NAMES: ReadonlySet<string> = new Set(['name', 'key', 'header', 'variable']);

/**
 * How `text`, which is known to be JSON, must be edited for no secret to be left in it. Only what strings say is edited, and
 * numbers that are secrets: keys, their order, white space and all other tokens stay as they are. Of a message
 * (`isMessage`), what the protocol itself needs stays, too.
 */
export function jsonEdits(text: string, search: Search, nesting: number, isMessage: boolean): Edit[] {
  const edits: Edit[] = [];
  const { rules, marks } = search;
  const isEncoded = text.includes('%') || text.includes('@');

  function value(at: number, place: Place): number {
    const taken = place.taken ?? rules.place(place.path);
    const here = taken === undefined ? place : { ...place, taken };
    const isContainer = text[at] === '{' || text[at] === '[';
    if (isContainer && here.path.length >= JSON_DEPTH_MAX) return deep(at);
    if (text[at] === '{') return object(at, here);
    if (text[at] === '[') return list(at, here);
    if (text[at] !== '"') return number(at, here);
    const end = stringEnd(text, at);
    string(at, end, here);
    return end;
  }

  /** Nobody's message is so deep: it is searched as text. */
  function deep(start: number): number {
    const end = valueEnd(text, start);
    const inner = text.slice(start, end);
    edits.push(
      ...lifted({ text: inner, outer: (at) => start + at }, search.inText(inner, Number.POSITIVE_INFINITY)),
    );
    return end;
  }

  function object(at: number, place: Place): number {
    let pairName: string | undefined;
    let pairValue: [start: number, end: number, place: Place] | undefined;
    for (at = skipSpace(text, at + 1); text[at] === '"'; at = skipSpace(text, at + 1)) {
      const keyEnd = stringEnd(text, at);
      const key = jsonString(text, at, keyEnd);
      const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
      const inner = within(place, key.text);
      look(key, at, keyEnd, { ...inner, credential: undefined, taken: undefined });
      const end = value(start, inner);
      if (text[start] === '"' && PAIR_NAMES.has(key.text)) pairName = jsonString(text, start, end).text;
      if (text[start] === '"' && key.text === 'value') pairValue = [start, end, inner];
      at = skipSpace(text, end);
      if (text[at] !== ',') break;
    }
    if (pairName !== undefined && pairValue !== undefined && !place.isSchema) {
      const [start, end, inner] = pairValue;
      string(start, end, { ...inner, credential: credentialOf(pairName) });
    }
    return at + 1;
  }

  function within(place: Place, key: string): Place {
    const isSchema = place.isSchema || (place.isMessage && isSchemaKey(key));
    return {
      path: [...place.path, key],
      isMessage: place.isMessage,
      isSchema,
      taken: place.taken,
      credential: isSchema ? undefined : credentialOf(key),
    };
  }

  function list(at: number, place: Place): number {
    let option: Place['credential'];
    let index = 0;
    for (at = skipSpace(text, at + 1); text[at] !== ']'; at = skipSpace(text, at + 1)) {
      const end = value(at, {
        ...place,
        path: [...place.path, index++],
        credential: place.credential ?? option,
      });
      option =
        text[at] === '"' && text[at + 1] === '-' ? credentialOf(text.slice(at + 1, end - 1)) : undefined;
      at = skipSpace(text, end);
      if (text[at] !== ',') break;
    }
    return at + 1;
  }

  function number(at: number, { taken, credential }: Place): number {
    const end = literalEnd(text, at);
    const lexeme = text.slice(at, end);
    const isSecret =
      credential?.certainty === 'sure' && /^\d{6,}$/.test(lexeme) && /pass|pwd|pin/i.test(credential.name);
    const name = taken ?? (isSecret ? credential?.name : undefined);
    const instead = name === undefined || !/\d/.test(lexeme) ? undefined : search.redact(name, lexeme);
    if (instead !== undefined) edits.push({ start: at, end, text: `"${instead}"` });
    return end;
  }

  function string(start: number, end: number, place: Place): void {
    const { taken, credential } = place;
    if (taken === undefined && place.isMessage && isProtocolValue(place.path)) return;
    if (taken === undefined && credential === undefined) return look(undefined, start, end, place);
    const layer = jsonString(text, start, end);
    const finds =
      taken !== undefined
        ? [{ name: taken, start: 0, end: layer.text.length }]
        : secretsWithin(credential!.name, layer.text, credential!.certainty).map(
            (span): Find => ({ name: credential!.name, ...span }),
          );
    edits.push(...lifted(layer, editsOf(layer.text, finds, search)));
    if (finds.length === 0) look(layer, start, end, place);
  }

  /** Looks for secrets inside of a string, or of a key. */
  function look(known: Layer | undefined, start: number, end: number, place: Place): void {
    const isPlain = !isEncoded && rules.isEmpty && text.indexOf('\\', start) >= end;
    if (isPlain && survey(text, marks, start, end) === 0) return;
    const layer = known ?? jsonString(text, start, end);
    edits.push(...lifted(layer, search.inText(layer.text, nesting, { path: place.path }), insideJsonString));
  }

  const root = { path: [], isMessage, isSchema: false };
  const messages = isMessage ? elementsIn(text) : [];
  if (messages.length === 0) value(skipSpace(text, 0), root);
  for (const { start } of messages) value(start, root);
  return edits;
}

function credentialOf(name: string): Place['credential'] {
  const certainty = credentialNamed(name);
  return certainty && { name, certainty };
}

/** The bits of what a JSON text may hold in one of its strings, escaped or not. */
export function surveyJson(text: string, search: Search): number {
  const isEscaped = /\\[\\u/]/.test(text) || text.includes('%') || text.includes('@');
  return isEscaped ? MAY_HOLD.pattern : survey(text, search.marks, 0, text.length);
}
