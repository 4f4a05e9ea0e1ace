import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireTimeline } from '../../../src/cli/cassette-files/require-timeline.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { cassette } from '../../support/conversation.ts';
import { itOnPosix } from '../../support/on-posix.ts';

const folder = temporaryFolder();
const recorded = (file: string) => {
  const made = cassette();
  return { ...made, file, header: { ...made.header, recorded: '2026-11-29T12:00:00Z' } };
};

it('takes sessions that say when they began, also those of git revisions', () => {
  expect(() => requireTimeline([recorded('main:a.yaml'), recorded('a.yaml')])).not.toThrow();
});

it('refuses one session, one that is named twice, and one without a start', () => {
  expect(() => requireTimeline([recorded('a.yaml')])).toThrow('a.yaml is a single session');
  expect(() => requireTimeline([recorded('main:a.yaml'), recorded('main:a.yaml')])).toThrow(
    'main:a.yaml is named twice',
  );
  expect(() => requireTimeline([recorded('a.yaml'), { ...cassette(), file: 'b.yaml' }])).toThrow(
    'b.yaml does not say when its session began',
  );
});

itOnPosix('links', 'knows a file by its links', () => {
  const [file, link] = [join(folder, 'a.yaml'), join(folder, 'b.yaml')];
  writeFileSync(file, '');
  symlinkSync(file, link);
  expect(() => requireTimeline([recorded(file), recorded(link)])).toThrow(`${link} is named twice`);
});
