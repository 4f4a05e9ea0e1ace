import { type Creator, exportRequest, type Span } from '../convert/otlp/otlp-types.ts';
import { messageOf } from '../kernel/errors.ts';
import { parseJson } from '../protocol/json-text.ts';
import { isObject } from '../protocol/message.ts';
import type { OtlpTarget } from './otlp-target.ts';

/**
 * Outcome of a request to a collector. `taken`: it may have refused some spans. `later`: the same request can succeed
 * later. `refused`: it cannot.
 */
export type PostOutcome =
  | { kind: 'taken'; refused: number; why?: string }
  | { kind: 'later'; why: string; afterSeconds?: number }
  | { kind: 'refused'; why: string };

/** Statuses after which a client sends the same again (OTLP/HTTP, "Retryable Response Codes"). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Length of an answer that is read. Collectors answer with a few bytes. */
const ANSWER_MAX = 64 * 1024;

/** Sends spans to a collector. Never throws. */
export async function postSpans(
  { url, headers, service }: OtlpTarget,
  spans: readonly Span[],
  creator: Creator,
  signal: AbortSignal,
): Promise<PostOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'user-agent': `${creator.name}/${creator.version}`, ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(exportRequest(spans, creator, service)),
      // A redirect could lead the headers, which may be secret, to another host.
      redirect: 'manual',
      signal,
    });
    const { status } = response;
    const text = await beginningOf(response);
    if (response.ok) return takenBy(parseJson(text));
    if (!RETRYABLE.has(status)) return { kind: 'refused', why: `it answers with HTTP ${status}` };
    const seconds = Number(response.headers.get('retry-after') ?? '');
    const later = { kind: 'later', why: `it answers with HTTP ${status}` } as const;
    return seconds > 0 ? { ...later, afterSeconds: seconds } : later;
  } catch (error) {
    return { kind: 'later', why: signal.aborted ? 'it does not answer in time' : reasonOf(error) };
  }
}

/** Returns how many spans a collector refused in an answer without an error (OTLP, "Partial Success"). */
function takenBy(answer: unknown): PostOutcome {
  const { rejectedSpans, errorMessage } =
    isObject(answer) && isObject(answer.partialSuccess) ? answer.partialSuccess : {};
  const refused = Number(rejectedSpans ?? 0);
  if (!(refused > 0)) return { kind: 'taken', refused: 0 };
  return { kind: 'taken', refused, why: `it refuses spans: ${String(errorMessage ?? 'without a reason')}` };
}

async function beginningOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    length += piece.length;
    if (length > ANSWER_MAX) break;
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Returns why a connection failed: `fetch` has it in the cause, which may be several errors. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  return messageOf(first ?? error);
}
