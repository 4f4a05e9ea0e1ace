import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { type JsonPath, locate } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject, isRequest, type Params, paramsOf, resultOf } from '../../protocol/message.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import {
  PLACEHOLDER,
  type Placeholder,
  placeholderOf,
  placeholdersIn,
} from '../../redact/replace/placeholder-format.ts';
import { isOfNumber, mayRefuse, schemaAt, standInFor } from './stand-in-for-schema.ts';

/** A value of a message, with the schema that describes it. */
interface Described {
  path: JsonPath;
  schema: Params;
}

/** Schemas that a server has listed for its tools. */
class ListedSchemas {
  readonly #tools = new Map<unknown, Params>();

  add(tools: unknown): void {
    for (const tool of [tools].flat()) if (isObject(tool)) this.#tools.set(tool.name, tool);
  }

  /** Returns the described part of a call or of its result. */
  of({ message }: SessionEntry, request: unknown): Described | undefined {
    const call = isRequest(message) ? message : request;
    if (!isRequest(call) || call.method !== 'tools/call') return undefined;
    const tool = this.#tools.get(paramsOf(call).name);
    const [path, schema] = isRequest(message)
      ? [['params', 'arguments'], tool?.inputSchema]
      : [['result', 'structuredContent'], tool?.outputSchema];
    return isObject(schema) ? { path, schema } : undefined;
  }
}

type StandIns = ReadonlyMap<string, string>;

/**
 * Returns the entries of a session with a made-up value in place of each placeholder that the `outputSchema` of its tool
 * refuses: a number, a text of a pattern or format. Clients check structured content, and could not be played to
 * otherwise. A placeholder has the same value everywhere. One that the client sends first stays, because only the client
 * knows its value.
 */
export function fitPlaceholdersToSchemas(
  entries: SessionEntry[],
  { requestOf }: Pick<Links, 'requestOf'>,
): SessionEntry[] {
  if (!entries.some(({ from, json }) => from === 'server' && json?.text.includes('[redacted:'))) return entries;
  const listed = new ListedSchemas();
  const described = new Map<SessionEntry, Described>();
  const places = new ListMap<string, Params>();
  const refused = new Set<string>();
  const standIns = new Map<string, string>();
  const seen = { ofClient: new Set<string>(), ofServer: new Set<string>() };
  for (const entry of entries) {
    if (entry.json === undefined) continue;
    if (entry.from === 'server') listed.add(resultOf(entry.message)?.tools);
    for (const one of placeholdersIn(entry.json.text).map(keyOf)) {
      if (entry.from === 'server') seen.ofServer.add(one);
      else if (!seen.ofServer.has(one)) seen.ofClient.add(one);
    }
    const part = listed.of(entry, entries[requestOf.get(entry.index) ?? -1]?.message);
    if (part === undefined) continue;
    described.set(entry, part);
    if (entry.from !== 'server') continue;
    for (const { value, schema } of describedTexts(entry, part)) {
      const found = placeholdersIn(value);
      const [one] = found;
      if (one === undefined) continue;
      const isRefused = mayRefuse(schema, value);
      if (one.end - one.start < value.length)
        // A part of a text, such as of a URL, has no form of its own. None of its characters may need an escape.
        for (const part of isRefused ? found : []) standIns.set(keyOf(part), inText(part));
      else {
        places.add(keyOf(one), schema);
        if (isRefused) refused.add(keyOf(one));
      }
    }
  }
  for (const one of refused) {
    const instead = standInFor(places.get(one) ?? [], standIns.size + 1, new Set(standIns.values()));
    if (instead !== undefined) standIns.set(one, instead);
  }
  for (const one of seen.ofClient) standIns.delete(one);
  return standIns.size === 0 ? entries : entries.map((entry) => withStandIns(entry, standIns, described.get(entry)));
}

function keyOf({ name, n }: Pick<Placeholder, 'name' | 'n'>): string {
  return placeholderOf(name, n);
}

function inText({ name, n }: Placeholder): string {
  return `redacted-${name.replace(/[^A-Za-z\d]/g, '-')}-${n}`;
}

/** Returns the texts of a described part, each with its schema. */
function describedTexts(
  { message }: SessionEntry,
  { path, schema }: Described,
): { value: string; path: JsonPath; schema: Params }[] {
  return [...leavesOf(valueAt(message, path), [])].flatMap(({ value, path: inside }) => {
    const leaf = typeof value === 'string' && value.includes('[redacted:') ? schemaAt(schema, inside) : undefined;
    return leaf === undefined ? [] : [{ value: value as string, path: [...path, ...inside], schema: leaf }];
  });
}

function withStandIns(entry: SessionEntry, standIns: StandIns, described: Described | undefined): SessionEntry {
  const { json } = entry;
  if (json === undefined || placeholdersIn(json.text).length === 0) return entry;
  const numbered = described === undefined ? json.text : withNumbers(entry, described, standIns);
  const text = numbered.replace(PLACEHOLDER, (one) => JSON.stringify(standIns.get(one) ?? one).slice(1, -1));
  if (text === json.text) return entry;
  const changed = new JsonText(text);
  return { ...entry, json: changed, message: changed.value as NonNullable<SessionEntry['message']> };
}

/** Makes numbers of the placeholders whose schema asks for one. */
function withNumbers(entry: SessionEntry, described: Described, standIns: StandIns): string {
  return describedTexts(entry, described).reduce((text, { value, path, schema }) => {
    const instead = isOfNumber(schema) ? standIns.get(value) : undefined;
    const span = instead !== undefined && /^-?\d/.test(instead) ? locate(text, path) : undefined;
    return span === undefined ? text : text.slice(0, span.start) + instead + text.slice(span.end);
  }, entry.json!.text);
}
