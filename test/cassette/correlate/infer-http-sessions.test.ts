import { expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { inferHttpSessions } from '../../../src/cassette/correlate/infer-http-sessions.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { cassette, client, request, result, server } from '../../support/conversation.ts';

const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const initialize = (stream: number) => on(stream, client(request(0, 'initialize')));
const accepted = (stream: number) => on(stream, server(result(0, 'yes')));
const refused = (stream: number) => on(stream, server({ jsonrpc: '2.0', id: 0, error: { code: -1, message: 'no' } }));
const opens = (stream: number): Frame => ({ kind: 'open', at: 0, from: 'client', method: 'GET', stream });

function sessionsOf(...frames: Frame[]): number[] {
  const { events } = cassette(...frames);
  const entries = eventsToEntries(events);
  return inferHttpSessions(events, entries, correlateEntries(entries));
}

it('a cassette without initialize, or with one, has one session', () => {
  expect(sessionsOf(on(1, client(request(1, 'ping'))), on(1, server(result(1, 'pong'))))).toEqual([0, 0]);
  expect(sessionsOf(initialize(1), accepted(1), opens(2))).toEqual([0, 0, 0]);
});

it('each initialize that is accepted begins a session, with those that were refused before', () => {
  expect(sessionsOf(initialize(1), accepted(1), initialize(2), refused(2), initialize(3), accepted(3))).toEqual([
    0, 0, 1, 1, 1, 1,
  ]);
  expect(sessionsOf(initialize(1), refused(1), initialize(2), accepted(2))).toEqual([0, 0, 0, 0]);
});

it('an exchange stays in the session in which it began', () => {
  const late = [on(2, client(request(1, 'slow'))), initialize(3), accepted(3), on(2, server(result(1, 'done')))];
  expect(sessionsOf(initialize(1), accepted(1), ...late)).toEqual([0, 0, 0, 1, 1, 0]);
});

it('a session over HTTP with SSE begins with its stream', () => {
  expect(sessionsOf(opens(1), initialize(2), accepted(1), opens(3), initialize(4), accepted(3))).toEqual([
    0, 0, 0, 1, 1, 1,
  ]);
});
