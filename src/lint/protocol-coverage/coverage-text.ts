import { formatCount } from '../../kernel/format-count.ts';
import type { CoveredPart, ProtocolCoverage, RevisionCoverage } from './count-coverage.ts';
import { PART_KINDS, type PartKind } from './protocol-parts.ts';

/**
 * Formats a coverage for people: for each revision and kind of part, what cassettes exercise and what they never do. The texts
 * of peers are not made printable.
 */
export function coverageText({ revisions, missing, unknown }: ProtocolCoverage): string[] {
  return [
    ...revisions.flatMap((revision) => [...revisionText(revision), '']),
    ...(unknown.length > 0 ? [`No revision that is known: ${unknown.join(', ')}`] : []),
    ...(missing.length > 0 ? [`No cassette of ${missing.join(', ')}`] : []),
  ];
}

function revisionText({ revision, files, covered, total, parts, others }: RevisionCoverage): string[] {
  const groups = PART_KINDS.flatMap((kind) => [undefined, 'client', 'server'].map((from) => ({ kind, from }))).map(
    ({ kind, from }) => ({
      title: titleOf(kind, from),
      parts: parts.filter((part) => part.kind === kind && part.from === from),
    }),
  );
  return [
    `${revision}: ${covered} of ${total} parts in ${formatCount(files.length, 'cassette')}`,
    ...groups.filter((group) => group.parts.length > 0).flatMap((group) => groupText(group.title, group.parts)),
    ...(others.length > 0 ? [`  beside the revision: ${others.map(partText).join(', ')}`] : []),
  ];
}

const TITLES: Readonly<Record<PartKind, string>> = {
  request: 'requests',
  'input request': 'input requests',
  notification: 'notifications',
  capability: 'capabilities',
  error: 'error codes',
  transport: 'transports',
};

function titleOf(kind: PartKind, from: string | undefined): string {
  return from === undefined ? TITLES[kind] : `${TITLES[kind]} of the ${from}`;
}

function groupText(title: string, parts: readonly CoveredPart[]): string[] {
  const covered = parts.filter(({ count }) => count > 0);
  const never = parts.filter(({ count }) => count === 0);
  return [
    `  ${title}: ${covered.length} of ${parts.length}`,
    ...(covered.length > 0 ? [`    covered: ${covered.map(countText).join(', ')}`] : []),
    ...(never.length > 0 ? [`    never: ${never.map(({ name }) => name).join(', ')}`] : []),
  ];
}

function countText({ name, count }: CoveredPart): string {
  return `${name} (${count})`;
}

function partText(part: CoveredPart): string {
  return `${titleOf(part.kind, part.from)} ${countText(part)}`;
}
