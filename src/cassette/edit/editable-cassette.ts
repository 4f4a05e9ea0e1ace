import type { Document, Node, Pair } from 'yaml';
import type { Cassette } from '../cassette.ts';
import { EventSplitter, eventEnd } from '../read/event-splitter.ts';
import { FastYamlReader, readFastYaml } from '../read/fast-yaml/fast-yaml-reader.ts';
import { parseCassette } from '../read/parse-cassette.ts';
import { countBreaks, type SourceText } from '../read/source-text.ts';
import { aliasTarget } from '../read/yaml/alias-target.ts';
import { yamlDocument, yamlList } from '../read/yaml/full-yaml-reader.ts';
import { yamlPackage } from '../read/yaml/load-yaml-package.ts';
import { fieldsOf } from '../read/yaml/node-to-json.ts';
import type { YamlField } from '../read/yaml/yaml-field.ts';

/** Event with its source text. */
export interface EditableEvent {
  fields: readonly YamlField[];
  /** Text that contains the event, alone or with others. */
  source: SourceText;
  /** Offset of the source in the cassette. */
  at: number;
  /** Returns the YAML mapping. Parsing it takes much longer than parsing the fields, so it is done on demand. */
  node(): { map: Node | null; document: Document };
}

/** Cassette as text, for edits that keep every other character. */
export interface EditableCassette {
  cassette: Cassette;
  /** Text before the events. */
  head: SourceText;
  events: EditableEvent[];
  /** Incomplete text of a killed recorder, which readers skip. */
  tail?: { source: SourceText; at: number };
}

/**
 * Splits `text`, whose line breaks are LF, into events.
 * @throws McpRecordError as `parseCassette`
 */
export function editableCassette(text: string, file: string): EditableCassette {
  const cassette = parseCassette(text, file);
  return { cassette, ...(byEvents(text, cassette) ?? asDocument(text, file)) };
}

type Cut = Omit<EditableCassette, 'cassette'>;

function byEvents(text: string, { file, header, warnings }: Cassette): Cut | undefined {
  const splitter = new EventSplitter(file);
  const runs = splitter.push(Buffer.from(text));
  if (splitter.header === undefined) return warnings.length > 0 ? torn(text, file) : undefined;
  const sources = sourcesOf([...runs, splitter.rest()], { file, line: splitter.firstLine });
  let at = text.length - sources.reduce((length, { text: item }) => length + item.length, 0);
  const isTorn = header.recorder !== undefined && warnings.length > 0;
  const head = { file, text: text.slice(0, at), line: 1 };
  const events: EditableEvent[] = [];
  const reader = new FastYamlReader();
  for (const source of isTorn ? sources.slice(0, -1) : sources) {
    const fields = fieldsIn(source, reader);
    if (fields === undefined) return undefined;
    events.push({ fields, source, at, node: () => itemOf(yamlDocument(source), 0) });
    at += source.text.length;
  }
  return { head, events, ...(isTorn && { tail: { source: sources.at(-1)!, at } }) };
}

/** Splits runs into events. The first event of the first run is on `line`. */
function sourcesOf(runs: readonly Buffer[], { file, line }: Omit<SourceText, 'text'>): SourceText[] {
  const sources: SourceText[] = [];
  let next = line;
  for (const run of runs) {
    for (let start = 0; start < run.length; ) {
      const end = eventEnd(run, start);
      const text = run.toString('utf8', start, end);
      sources.push({ file, text, line: next });
      next += countBreaks(text, 0, text.length);
      start = end;
    }
  }
  return sources;
}

/** Column of an event's keys, after its dash. */
const ITEM_COLUMN = 2;

function fieldsIn(source: SourceText, reader: FastYamlReader): YamlField[] | undefined {
  const fields = readFastYaml(source.text, ITEM_COLUMN, reader);
  if (fields !== undefined) return fields;
  try {
    return yamlList(source)[0];
  } catch {
    return undefined;
  }
}

/** Returns the parts of a cassette that a recorder left without an event. */
function torn(text: string, file: string): Cut {
  const source = { file, text, line: 1 };
  return { head: { ...source, text: '' }, events: [], tail: { source, at: 0 } };
}

/** Parses a cassette with a foreign layout as one document. */
function asDocument(text: string, file: string): Cut {
  const { isMap, isScalar, isSeq } = yamlPackage();
  const source: SourceText = { file, text, line: 1 };
  const document = yamlDocument(source);
  const pairs = isMap(document.contents) ? (document.contents.items as Pair<Node, Node | null>[]) : [];
  const list = pairs.find(({ key }) => isScalar(key) && key.value === 'events')?.value;
  const count = isSeq(list) ? list.items.length : 0;
  const events = Array.from({ length: count }, (_, n): EditableEvent => {
    const { map } = itemOf(document, n, list);
    const fields = fieldsOf(map, document);
    return { fields: Array.isArray(fields) ? fields : [], source, at: 0, node: () => ({ map, document }) };
  });
  return { head: source, events };
}

function itemOf(
  document: Document,
  n: number,
  list: Node | null | undefined = document.contents,
): ReturnType<EditableEvent['node']> {
  const { isAlias, isSeq } = yamlPackage();
  const item = isSeq(list) ? ((list.items[n] ?? null) as Node | null) : null;
  return { map: isAlias(item) ? (aliasTarget(item, document) ?? null) : item, document };
}
