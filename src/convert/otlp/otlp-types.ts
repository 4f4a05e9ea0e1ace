/** Value of an attribute, as OTLP writes it in JSON: 64-bit integers are decimal strings. */
export type AttributeValue = { stringValue: string } | { intValue: string } | { doubleValue: number };

export interface Attribute {
  key: string;
  value: AttributeValue;
}

/** Attributes as a list of names and values. Undefined values are left out. */
export type AttributeEntries = ReadonlyArray<readonly [key: string, value: string | number | undefined]>;

export interface SpanEvent {
  timeUnixNano: string;
  name: string;
  attributes: Attribute[];
}

export interface SpanLink {
  traceId: string;
  spanId: string;
  flags: number;
}

/** `SpanKind` of OTLP. */
export const KIND = { internal: 1, server: 2, client: 3 } as const;

/** `StatusCode` of OTLP for a failed operation. */
export const STATUS_ERROR = 2;

/** Span of OTLP in JSON: ids are lower-case hex, times are decimal strings of nanoseconds since 1970. */
export interface Span {
  traceId: string;
  spanId: string;
  traceState?: string;
  /** Absent: the span is the root of its trace. */
  parentSpanId?: string;
  flags: number;
  name: string;
  kind: (typeof KIND)[keyof typeof KIND];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  events: SpanEvent[];
  droppedEventsCount?: number;
  links: SpanLink[];
  status: { code?: typeof STATUS_ERROR; message?: string };
}

/** Program that writes the spans. */
export interface Creator {
  name: string;
  version: string;
}

/** Message of the OTLP protocol that carries spans to a collector. */
export interface ExportTraceServiceRequest {
  resourceSpans: Array<{
    resource: { attributes: Attribute[] };
    scopeSpans: Array<{ scope: Creator; spans: readonly Span[] }>;
  }>;
}

/** Returns the message with these spans. `service` is the name under which a trace viewer shows them. */
export function exportRequest(
  spans: readonly Span[],
  creator: Creator,
  service: string = creator.name,
): ExportTraceServiceRequest {
  const { name, version } = creator;
  const resource = { attributes: attributes([['service.name', service]]) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name, version }, spans }] }] };
}

/** Maximum length of a text. Collectors refuse large messages. */
const TEXT_MAX = 4096;

/** Returns a text that protobuf can hold: without lone surrogates, and shortened if it is long. */
export function otlpText(text: string): string {
  return (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text).toWellFormed();
}

/** Returns attributes in the form of OTLP. A fraction is a double, any other number an integer. */
export function attributes(entries: AttributeEntries): Attribute[] {
  return entries.flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: attributeValue(value) }]));
}

function attributeValue(value: string | number): AttributeValue {
  if (typeof value === 'string') return { stringValue: otlpText(value) };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
