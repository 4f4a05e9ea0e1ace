import { createHash } from 'node:crypto';
import type { Cassette } from '../../cassette/cassette.ts';
import { instantOf } from '../../kernel/clock.ts';
import { type Creator, exportRequest } from '../otlp/otlp-types.ts';
import { SessionSpans } from '../otlp/session-spans.ts';
import { ndjson } from './ndjson.ts';

/** Start of a session whose time is not known. */
const NO_DATE = '1970-01-01T00:00:00Z';

/**
 * Formats a session as a trace of OpenTelemetry: the JSON form of OTLP, on one line, as collectors read it from files and
 * over HTTP. Equal cassettes give equal ids.
 */
export function otlp(cassette: Cassette, creator: Creator): string {
  const { header, events } = cassette;
  const seed = createHash('sha256').update(JSON.stringify(header)).update(ndjson(cassette)).digest('hex');
  const spans = new SessionSpans({ header, startedAt: instantOf(header.recorded ?? NO_DATE).getTime(), seed });
  return `${JSON.stringify(exportRequest([...spans.add(events), ...spans.end()], creator))}\n`;
}
