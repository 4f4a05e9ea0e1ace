import { didYouMean } from '../../kernel/did-you-mean.ts';
import { FORMAT, type Header, type Transport } from '../cassette.ts';
import { badHeader, newerFormat, notACassette } from '../cassette-errors.ts';
import { HEADER_KEYS } from '../format-keys.ts';
import { RECORDED } from '../number-and-text-limits.ts';
import type { SourceText } from './source-text.ts';
import type { YamlField } from './yaml/yaml-field.ts';

const NEWEST = 1;

/**
 * Returns the number of the cassette's format. It must be known before other fields are read.
 * @throws McpRecordError CASSETTE_NOT_RECOGNIZED, CASSETTE_NEWER_FORMAT
 */
export function parseFormat(fields: readonly YamlField[], source: SourceText): number {
  const field = fields.find(({ key }) => key === 'format');
  if (field === undefined) throw notACassette({ source, at: 0 }, 'it does not say "format:"');
  const spot = { source, at: field.at };
  const value: unknown = JSON.parse(field.json);
  const number = typeof value === 'string' ? /^mcp-record\/([1-9]\d{0,5})$/.exec(value)?.[1] : undefined;
  if (number === undefined) throw notACassette(spot, `its format is ${field.json}`);
  if (Number(number) > NEWEST) throw newerFormat(spot, String(value));
  return Number(number);
}

/**
 * Parses the fields of the header.
 * @throws McpRecordError CASSETTE_BAD_HEADER
 */
export function parseHeader(fields: readonly YamlField[], source: SourceText): Header {
  const header: Header = { format: FORMAT, transport: 'stdio' };
  for (const { key, json, at } of fields) {
    const spot = { source, at };
    const value: unknown = JSON.parse(json);
    switch (key) {
      case 'format':
        break;
      case 'events':
        throw badHeader(spot, 'the key "events" stands there twice', ONE_LIST);
      case 'recorder':
      case 'recorded':
      case 'url':
        if (typeof value !== 'string')
          throw badHeader(spot, `"${key}" is ${json}, not text`, 'Put it in quotes, or leave it out.');
        if (key === 'recorded' && !RECORDED.test(value)) {
          const next = "Write the time in UTC, such as recorded: '2026-11-21T03:02:15Z', or leave it out.";
          throw badHeader(spot, `"recorded" is ${json}, not a time in UTC`, next);
        }
        header[key] = value;
        break;
      case 'transport':
        if (!isTransport(value))
          throw badHeader(spot, `there is no transport ${json}`, 'Write "transport: stdio" or "transport: http".');
        header.transport = value;
        break;
      case 'redactRules':
        if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
          throw badHeader(spot, `"redactRules" is ${json}, not a list of names`, 'Write redactRules: [customer].');
        header.redactRules = value;
        break;
      default:
        throw badHeader(spot, `a header has no key "${key}"`, advice(key));
    }
  }
  return header;
}

/** Advice for two lists of events, which a merge may leave. */
export const ONE_LIST = 'Put all events into one list, or take one side whole.';

function isTransport(value: unknown): value is Transport {
  return value === 'stdio' || value === 'http';
}

function advice(key: string): string {
  const meant = didYouMean(key, [...HEADER_KEYS, 'events']);
  return meant ? `Did you mean "${meant}"?` : `It has ${HEADER_KEYS.join(', ')}, and events last.`;
}
