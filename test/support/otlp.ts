import { createRequire } from 'node:module';
import type { AttributeValue, ExportTraceServiceRequest, Span } from '../../src/convert/otlp/otlp-types.ts';

/** Message type of `protobufjs`, as far as tests use it. */
interface MessageType {
  fromObject(object: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}

/** Code that OpenTelemetry generates from the official definitions of OTLP for its own exporters. */
const require = createRequire(import.meta.url);
const generated = require('@opentelemetry/otlp-transformer/build/src/generated/root.js');
const EXPORT: MessageType = generated.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

/** Members that JSON spells in hex, and protobuf has as bytes. */
const IDS: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId']);

/**
 * Returns a request in the JSON form of OTLP after a way through the binary form, by the official definitions. A member
 * that they do not have is lost on this way, and one of another type is changed or refused.
 */
export function throughProtobuf(request: object): object {
  const asBytes = mapIds(request, (hex) => Buffer.from(String(hex), 'hex'));
  const binary = EXPORT.encode(EXPORT.fromObject(asBytes as object)).finish();
  const decoded = EXPORT.toObject(EXPORT.decode(binary), { longs: String, enums: Number });
  return withoutEmptyLists(mapIds(decoded, (bytes) => Buffer.from(bytes as Uint8Array).toString('hex'))) as object;
}

/** Returns the request with no empty lists: protobuf does not tell them from absent ones. */
export function withoutEmptyLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyLists);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      Array.isArray(member) && member.length === 0 ? [] : [[key, withoutEmptyLists(member)]],
    ),
  );
}

function mapIds(value: unknown, map: (id: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => mapIds(member, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, IDS.has(key) ? map(member) : mapIds(member, map)]),
  );
}

/** Returns the spans of requests, in order. */
export function spansIn(...requests: ExportTraceServiceRequest[]): Span[] {
  return requests.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

/** Returns attributes as an object, for comparison. */
export function attributesOf({ attributes }: Pick<Span, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: AttributeValue): unknown {
  if ('intValue' in value) return Number(value.intValue);
  return 'stringValue' in value ? value.stringValue : value.doubleValue;
}

/** Returns how long a span took, in milliseconds. */
export function durationOf({ startTimeUnixNano, endTimeUnixNano }: Span): number {
  return Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6;
}
