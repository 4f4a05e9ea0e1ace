import { printableLines } from '../../text-report/printable-text.ts';
import type { Item } from '../data/report-data-types.ts';

/** Escapes invisible and bidirectional control characters. Keeps line breaks and tabs. */
export function visible(text: string): string {
  return text.split('\t').map(printableLines).join('\t');
}

/** Formats a duration. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms)} ms`;
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Formats a response time. Times under 10 ms keep one decimal. */
export function latency(ms: number): string {
  return ms < 10 ? `${Math.round(ms * 10) / 10} ms` : duration(ms);
}

/** Formats a time as seconds since the session began. */
export function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

export function count(number: number): string {
  return number.toLocaleString('en');
}

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * Returns the outcome of a request in words, with a sign that works without colour. A pending request of a growing
 * session counts as in flight, not as never answered.
 */
export function fateText({ fate, took }: Item, isGrowing = false): string {
  switch (fate) {
    case 'answered':
      return took ? `✓ ${duration(took)}` : '✓';
    case 'error':
      return took === undefined ? '✗ error' : `✗ error, ${duration(took)}`;
    case 'cancelled':
      return took ? `⊘ cancelled, ${duration(took)}` : '⊘ cancelled';
    case 'pending':
      return isGrowing ? '… in flight' : '… never answered';
    default:
      return '';
  }
}

/** Returns an item as a sentence for screen readers. */
export function sentence(item: Item, isGrowing = false): string {
  const { line, at, from, kind, what, detail, failed, stream, origin, marks = [], change, callers = [] } = item;
  const to = from === 'client' ? 'server' : 'client';
  const parts = [
    origin && `Server ${origin.server}`,
    `Line ${line}, ${seconds(at)} seconds, ${from} to ${to}: ${kind} ${what}`,
    detail?.slice(0, 120),
    fateText(item, isGrowing).replace(/^\W+/, ''),
    failed && 'failed',
    stream !== undefined && `stream ${stream}`,
    ...marks.map((mark) => `${mark.kind === 'fault' ? 'fault' : 'lint'}: ${mark.title}`),
    change?.kind,
    change?.headline,
    ...callers.map(({ severity, reason }) => `${severity}: ${reason}`),
  ];
  return parts.filter((part) => part).join(', ');
}
