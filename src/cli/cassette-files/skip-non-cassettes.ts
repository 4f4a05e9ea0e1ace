import { isUtf8 } from 'node:buffer';
import { TITLE } from '../../cassette/cassette.ts';
import { YAML_LENGTH_MAX, yamlCassette } from '../../cassette/read/yaml/full-yaml-reader.ts';

/** Number of bytes in which the format of a cassette stands, in the layout of a recorder. */
const HEAD_BYTES = 64 * 1024;

const FORMAT = /^["']?format["']?\s*:\s*["']?mcp-record\/\d/m;
const FORMAT_IN_JSON = /"format"\s*:\s*"mcp-record\/\d/;

/** Parts of a cassette that remain if others are damaged: its format, an event, a message. */
const SIGN = /:\s*["']?mcp-record\/\d+\b|^\s*- *["']?(?:client|server)["']?\s*:|\bjsonrpc\b/m;

/** Name of a file that may be a cassette. YAML includes JSON. */
export const CASSETTE_ENDING = /\.(?:ya?ml|json)$/i;
const JSON_ENDING = /\.json$/i;

/**
 * Reports whether a YAML or JSON file is certainly no cassette, so that a folder may have it beside cassettes. A damaged cassette, an empty file and bytes
 * that are no text are not certain: whoever reads them reports the damage. JSON is a cassette only if it says so, since folders have much other JSON.
 */
export function isOtherFile(name: string, bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  if (JSON_ENDING.test(name)) return !FORMAT_IN_JSON.test(head) && !FORMAT.test(head);
  if (FORMAT.test(head) || head.startsWith(TITLE) || head.trim() === '' || bytes.includes(0) || !isUtf8(bytes))
    return false;
  const text = Buffer.from(bytes).toString('utf8');
  return !SIGN.test(text) || (text.length <= YAML_LENGTH_MAX && isOtherMapping(name, text));
}

/** Value of `format` or `events` under another key. */
const MISSPELT = /^"mcp-record\/\d|^\[\{"(?:client|server)":/;

/** Reports whether a text is valid YAML, with neither the format nor the events of a cassette. */
function isOtherMapping(file: string, text: string): boolean {
  try {
    const { header, events } = yamlCassette({ file, text, line: 1 });
    return events === undefined && !header.some(({ json }) => MISSPELT.test(json));
  } catch {
    return false;
  }
}
