import { beforeAll, expect } from 'vitest';
import { type Command, mcpRecord } from '../../support/command.ts';
import { fixture, recorder, run } from '../../support/process.ts';

/** Options for one fault. */
export const CUTS: readonly string[] = ['--faults', 'cut'];
/** Longer than the client is patient, on a slow machine too. */
export const PATIENT: readonly string[] = ['--deadline', '60000'];

/** What `sweep --json` prints. */
export interface Found {
  results: { verdict: string; point: { name: string; title: string } }[];
}

/** A client that behaves in this manner. */
export const swept = (manner: string, ...server: string[]): Command => fixture('swept.js', manner, ...server);

/** Records a session to `cassette` before the tests, and sweeps clients with it. */
export function sweepsOf(cassette: string): {
  sweep: (manner: string, ...options: string[]) => Promise<{ text: string; status: number | null }>;
  verdicts: (manner: string, ...options: string[]) => Promise<{ status: number | null; verdicts: string[] }>;
} {
  beforeAll(async () => {
    const { command, args } = recorder(cassette, fixture('drifts.js'));
    expect((await run(swept('fails', command, ...args))).status).toBe(0);
  });

  const sweep = async (manner: string, ...options: string[]) => {
    const { command, args } = swept(manner, '{server}');
    const { stdout, status } = await run(mcpRecord('sweep', ...options, cassette, '--', command, ...args));
    return { text: stdout.toString(), status };
  };
  const verdicts = async (manner: string, ...options: string[]) => {
    const { text, status } = await sweep(manner, '--json', ...options);
    const { results } = JSON.parse(text) as Found;
    return { status, verdicts: results.map(({ verdict, point }) => `${point.name} ${verdict}`) };
  };
  return { sweep, verdicts };
}
