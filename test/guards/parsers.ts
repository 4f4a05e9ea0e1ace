import { gzipSync } from 'node:zlib';
import { readFastYaml } from '../../src/cassette/read/fast-yaml/fast-yaml-reader.ts';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { jsonToYaml } from '../../src/cassette/write/json-to-yaml.ts';
import { scalar } from '../../src/cassette/write/yaml-scalar.ts';
import { messageIn } from '../../src/channel/line-to-message.ts';
import { wrapWords } from '../../src/cli/terminal/word-wrap.ts';
import { serversIn } from '../../src/cli/wrap/find-servers-in-configuration.ts';
import { CASSETTE, FORMATS, sourceOf } from '../../src/convert/formats.ts';
import { parseShortRule } from '../../src/faults/rules/parse-fault-rules.ts';
import { readFaultLog } from '../../src/html-report/data/faults/read-fault-log.ts';
import { compileLinear } from '../../src/kernel/linear-regex.ts';
import { canonicalJson } from '../../src/match/canonical-json.ts';
import { exactValue } from '../../src/match/exact-json-value.ts';
import { parsePointer } from '../../src/match/ignore-rules.ts';
import { differences } from '../../src/match/json-difference.ts';
import { identityOf } from '../../src/match/request-identity.ts';
import { compilePattern } from '../../src/match/value-pattern.ts';
import { unsafeTexts } from '../../src/protocol/deceptive-text.ts';
import { elementsIn, locate, locateId, valueEnd } from '../../src/protocol/json-scan.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { decodeBody } from '../../src/record/http/decode-body.ts';
import { ansiColorEdits } from '../../src/redact/decode/ansi-colors.ts';
import { base64Runs } from '../../src/redact/decode/base64.ts';
import { findEncodedPlaceholders } from '../../src/redact/decode/find-encoded-placeholders.ts';
import { hexRuns } from '../../src/redact/decode/hex.ts';
import { withoutEntities } from '../../src/redact/decode/html-entities.ts';
import { jsonString } from '../../src/redact/decode/json-string-offsets.ts';
import { percentDecoded, percentEncoded } from '../../src/redact/decode/percent-encoding.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { equalizePlaceholders } from '../../src/redact/replace/equalize-placeholders.ts';
import { placeholdersIn } from '../../src/redact/replace/placeholder-format.ts';
import { differenceText, paintDifference } from '../../src/text-report/difference-text.ts';
import { printable, printableJson, truncate } from '../../src/text-report/printable-text.ts';
import { mapChallengeUris } from '../../src/transports/http/authorization/rewrite-challenge-uris.ts';
import { ChunkedDecoder } from '../../src/transports/http/http1/chunked-decoder.ts';
import { HeadBuffer } from '../../src/transports/http/http1/head-buffer.ts';
import { listOf } from '../../src/transports/http/http1/raw-headers.ts';
import { parseRequestHead } from '../../src/transports/http/http1/request-head.ts';
import { parseResponseHead } from '../../src/transports/http/http1/response-head.ts';
import { headerText, headerValue } from '../../src/transports/http/mcp-headers/header-encoding.ts';
import { SseDecoder } from '../../src/transports/http/sse/sse-decoder.ts';
import { LineDecoder } from '../../src/transports/stdio/line-decoder.ts';

/** Something that reads a text of a stranger. */
type Parser = (text: string) => unknown;

const asIs = (text: string) => text;
const UNPAINTED = { good: asIs, bad: asIs, dim: asIs, bold: asIs, hunk: asIs };
/** What a redactor has found, it looks for in all that follows: each text gets another one. */
const redactor = () => createRedactor({ env: {} });
const call = (text: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: text, arguments: { [text]: text } },
});
const sse = () => new SseDecoder({ event: () => {}, comment: () => {}, holdBytesMax: Number.POSITIVE_INFINITY });
const inPieces = (text: string, take: (piece: Buffer) => void) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) take(bytes.subarray(at, at + 7));
};
const from =
  (format: string): Parser =>
  (text) => {
    const input = { file: 'a', text };
    return sourceOf(input, format)!.read(input);
  };

/** Every parser, decoder, detector and printer that meets texts of strangers. Errors are an answer, too. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  'an event stream': (text) => sse().write(Buffer.from(text)),
  'an event stream in pieces': (text) => {
    const decoder = sse();
    inPieces(text, (piece) => decoder.write(piece));
  },
  'lines in pieces': (text) => {
    const decoder = new LineDecoder({ from: 'server', on: 'protocol', line: () => {} });
    inPieces(text, (piece) => decoder.write(piece, 0));
  },
  'chunks of HTTP': (text) => new ChunkedDecoder().data(Buffer.from(text)),
  'a chunk of chunks of HTTP': (text) => new ChunkedDecoder().data(Buffer.from(`1\r\nx\r\n${text}`)),
  'a head in pieces': (text) => {
    const buffer = new HeadBuffer(Number.POSITIVE_INFINITY);
    inPieces(text, (piece) => buffer.take(Buffer.from(piece)));
  },
  'the head of a request': (text) => parseRequestHead(`GET / HTTP/1.1\r\na: ${text}`),
  'the fields of a request': (text) => parseRequestHead(`GET / HTTP/1.1\r\n${text}`),
  'the head of a response': (text) => parseResponseHead(`HTTP/1.1 200 ${text}`),
  'the words of a field': listOf,
  'the value of an MCP header': (text) => [headerText(text), headerValue(text), headerValue(`=?base64?${text}?=`)],
  'a challenge': (text) => [mapChallengeUris(text, asIs), mapChallengeUris(`resource_metadata${text}`, asIs)],
  'a value of JSON': (text) => {
    const json = JSON.stringify([...text, text]);
    return [valueEnd(json, 0), elementsIn(json)];
  },
  'a member of JSON': (text) => {
    const json = JSON.stringify({ a: [text, ...text], id: 1 });
    return [locateId(json), locate(json, ['a', 9])];
  },
  'a message': messageIn,
  'a cassette of our layout': (text) =>
    parseCassette(
      `format: mcp-record/1\nevents:\n- client:\n    method: a\n    params:\n      a: "${text.replaceAll(/["\\\n\r]/g, '\\n')}"\n`,
      'a',
    ),
  'fast YAML': (text) => readFastYaml(`client:\n  a: ${text}\n`, 0),
  'fast YAML of lines': (text) => readFastYaml(text, 0),
  'YAML of a text': (text) => scalar(text, 4),
  'YAML of a message': (text) => jsonToYaml(JSON.stringify(call(text)), 2),
  'the identity of a request': (text) => [
    identityOf(new JsonText(JSON.stringify(call(text)))),
    identityOf(new JsonText(text)),
  ],
  'canonical JSON': (text) => canonicalJson([call(text), [...text]]),
  'an exact value': (text) => exactValue(new JsonText(text)),
  differences: (text) => differences(call(text), call(`${text}!`)),
  'differences of lists': (text) => differences([...text], [...text].reverse()),
  'a difference as text': (text) => differenceText(text, `${text}!`),
  'the opposite as text': (text) => differenceText(text.slice(0, 2_000), [...text.slice(0, 2_000)].reverse().join('')),
  'a painted difference': (text) => paintDifference(text, UNPAINTED),
  'printable text': (text) => [printable(text), printableJson(text), truncate(printable(text), 80)],
  'lines of a terminal': (text) => wrapWords(text, 80),
  'narrow lines of a terminal': (text) => wrapWords(text, 3),
  'texts that deceive': (text) => unsafeTexts({ result: { tools: [{ name: text, description: text }] } }),
  'an expression': (text) => compileLinear(text.slice(0, 500)).test('a'),
  'a pattern of values': (text) => compilePattern({ a: text })({ a: text }),
  'a JSON Pointer': (text) => parsePointer(`/${text}`),
  'a rule of faults': (text) => [parseShortRule(`cut:${text}`, 'stdio')],
  'a log of faults': readFaultLog,
  'redacted text': (text) => redactor().suspicious(redactor().text(text)),
  'redacted JSON': (text) => redactor().json(new JsonText(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } }))),
  'a redacted URL': (text) => [redactor().url(text), redactor().url(`http://a/?${text}`)],
  'a redacted command': (text) => redactor().text(`serve --password ${text}`),
  'learned headers': (text) => redactor().learnHeaders(['authorization', text, 'cookie', text]),
  'a compressed body': (text) => {
    const body = gzipSync(text);
    const frame = { kind: 'line', at: 0, from: 'server', on: 'protocol', data: body } as const;
    return [redactor().frame(frame), decodeBody([], body, Number.MAX_SAFE_INTEGER)];
  },
  'bytes that are no text': (text) =>
    redactor().frame({
      kind: 'line',
      at: 0,
      from: 'server',
      on: 'protocol',
      data: Buffer.from(`\u00ff${text}`, 'latin1'),
    }),
  'the configuration of a client': (text) => {
    for (const file of ['a.json', 'a.toml', 'a.yaml']) readWith((own) => serversIn(own, file), text);
  },
  placeholders: (text) => [placeholdersIn(text), equalizePlaceholders(text), findEncodedPlaceholders(text)],
  'runs of base64 and hexadecimal': (text) => hexRuns(text, base64Runs(text)),
  entities: withoutEntities,
  'percent-encoding': (text) => [percentEncoded(text), percentDecoded(text)],
  colours: (text) => ansiColorEdits(text, () => []),
  'an encoded JSON string': (text) => jsonString(JSON.stringify(text), 1, JSON.stringify(text).length - 1),
  ...Object.fromEntries(
    FORMATS.from.filter((format) => format !== CASSETTE).map((format) => [`a recording of ${format}`, from(format)]),
  ),
};

/** Parsers that build a tree of any YAML. For those, a text without lists and mappings is no measure. */
export const YAML_PARSERS: ReadonlySet<string> = new Set(['a recording of mcp-vcr', 'the configuration of a client']);

/** Calls a parser. An error is an answer. */
export function readWith(parser: Parser, text: string): void {
  try {
    parser(text);
  } catch {
    // That it takes no longer than other texts is what counts.
  }
}
