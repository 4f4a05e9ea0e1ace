import type { WireMessage } from './peer.ts';

/** What one step brought the client: how it came out, and what the server said meanwhile. */
export interface StepSeen {
  step: string;
  outcome: unknown;
  /** Notifications and requests of the server, in order of arrival. */
  heard: WireMessage[];
}

export type Transcript = StepSeen[];

/** What a library threw, reduced to what came over the wire. */
export function failure(error: unknown): unknown {
  const { code, message, data } = error as { code?: unknown; message?: string; data?: unknown };
  return { error: { code, message, ...(data !== undefined && { data }) } };
}

/**
 * The one thing in server-everything that differs between two runs of these steps: its dynamic resources carry the
 * time of day. Compare a live session with another through this; a replay repeats its recording without.
 */
export function withoutClock(transcript: Transcript): Transcript {
  const text = JSON.stringify(transcript).replace(/(?<=created at )\d{1,2}:\d\d:\d\d(?:[\s\u202f][AP]M)?/g, '<time>');
  return JSON.parse(text) as Transcript;
}
