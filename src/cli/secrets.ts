import type { Cassette } from '../cassette/types.ts';
import type { Normalize } from '../match/ignore.ts';

/** What makes live messages compare with those of a tape that secrets were taken out of; none, where none were. */
export async function secretsAlikeFor({ events }: Cassette): Promise<Normalize[]> {
  const isRedacted = events.some(
    ({ frame }) => frame.kind === 'message' && frame.json.text.includes('[redacted:'),
  );
  if (!isRedacted) return [];
  const [{ secretsAlike }, { createRedactor }] = await Promise.all([
    import('../redact/alike.ts'),
    import('../redact/redactor.ts'),
  ]);
  return [secretsAlike(createRedactor({ env: process.env }))];
}
