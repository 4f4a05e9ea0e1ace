import type { EditableCassette } from '../../cassette/edit/editable-cassette.ts';
import { commentsIn } from '../../cassette/edit/find-comment-spans.ts';
import { listScalarNodes } from '../../cassette/edit/list-scalar-nodes.ts';
import { replacementScalars } from '../../cassette/edit/replacement-scalars.ts';
import { countBreaks } from '../../cassette/read/source-text.ts';
import { YAML_LENGTH_MAX, yamlDocument } from '../../cassette/read/yaml/full-yaml-reader.ts';
import { yamlPackage } from '../../cassette/read/yaml/load-yaml-package.ts';
import type { YamlField } from '../../cassette/read/yaml/yaml-field.ts';
import { isObject } from '../../protocol/message.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { RewriteOptions } from './event-edits.ts';

/**
 * Returns edits that remove the secrets outside of events: in the header, its comments, and the incomplete end of a
 * recording.
 */
export function headerEdits(editable: EditableCassette, redactor: Redactor): RewriteOptions[] {
  return [
    ...urlEdits(editable, redactor),
    ...commentEdits(editable.head.text, 0, redactor),
    ...tailEdits(editable, redactor),
  ];
}

/** Place of a value that a user's rule matches outside of messages, and the name of the rule. */
interface LeftValue {
  line: number;
  name: string;
}

/**
 * Returns the first value that a user's rule matches where no edit reaches it: in `match` of an event, in the name of a
 * header, an HTTP method, a recorder or an anchor, or in the reason of the end.
 */
export function leftByRules({ cassette, head, events }: EditableCassette, redactor: Redactor): LeftValue | undefined {
  const texts = [
    ...anchorsIn(head.text, 1),
    ...events.flatMap(({ source, fields }) => [
      ...fields.flatMap((field) => {
        const line = source.line + countBreaks(source.text, 0, field.at);
        return wordsIn(field).map((text) => ({ text, line }));
      }),
      ...(source === head ? [] : anchorsIn(source.text, source.line)),
    ]),
    { text: cassette.header.recorder?.replace(/^mcp-record\b/, '') ?? '', line: 1 },
  ];
  const found = texts.flatMap(({ text, line }) => {
    const match = redactor.matchOfRules(text);
    return match === undefined ? [] : [{ line, name: match.name }];
  });
  return found[0];
}

/** Returns the texts of a field in which no placeholder can stand. */
function wordsIn({ key, json }: YamlField): string[] {
  if (key === 'match') return [json];
  if (key !== 'open' && key !== 'end' && key !== 'headers') return [];
  const value: unknown = JSON.parse(json);
  const words = isObject(value) ? Object.keys(value) : [String(value)];
  return words.filter((word) => !RECORDED_WORDS.has(word));
}

/** Words that recorders write themselves. They are no secrets, however wide a rule is. */
const RECORDED_WORDS: ReadonlySet<string> = new Set([
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'complete', 'the client speaks HTTP/2'],
  ...['content-type', 'content-encoding', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
  ...['authorization', 'www-authenticate', 'allow', 'retry-after'],
]);

/** Returns the names of anchors in a text that begins at a line. */
function anchorsIn(text: string, line: number): { text: string; line: number }[] {
  return [...text.matchAll(/(?<=^|[\s:[{,-])&([^\s,[\]{}]+)/g)].map((match) => ({
    text: match[1]!,
    line: line + countBreaks(text, 0, match.index),
  }));
}

/** Returns edits that remove the secrets in the comments of `text`, which begins at offset `at`. */
export function commentEdits(text: string, at: number, redactor: Redactor): RewriteOptions[] {
  if (text.length > YAML_LENGTH_MAX || !mayHaveSecretComment(text, redactor)) return [];
  return commentsIn(text).flatMap(({ start, end }) => {
    const comment = text.slice(start, end);
    const safe = redactor.text(comment);
    return safe === comment ? [] : [{ start: at + start, end: at + end, texts: [safe] }];
  });
}

/**
 * Reports whether a comment may contain a secret. This avoids slow parsing: few events have comments, and fewer have
 * secrets in them.
 */
function mayHaveSecretComment(text: string, redactor: Redactor): boolean {
  return (text.match(/#.*/g) ?? []).some((rest) => redactor.text(rest) !== rest);
}

function urlEdits({ cassette, head }: EditableCassette, redactor: Redactor): RewriteOptions[] {
  const { url } = cassette.header;
  if (url === undefined || redactor.url(url) === url) return [];
  const { isMap } = yamlPackage();
  const document = yamlDocument(head);
  const { contents } = document;
  const [leaf] = isMap(contents) ? listScalarNodes(contents.get('url', true) ?? null, document) : [];
  if (leaf === undefined) return [];
  const [start, end] = leaf.scalar.range!;
  return [{ start, end, texts: replacementScalars(redactor.url(url), head.text.slice(start, end), leaf) }];
}

function tailEdits({ tail }: EditableCassette, redactor: Redactor): RewriteOptions[] {
  if (tail === undefined) return [];
  const { text } = tail.source;
  const safe = redactor.text(text);
  return safe === text ? [] : [{ start: tail.at, end: tail.at + text.length, texts: [safe] }];
}
