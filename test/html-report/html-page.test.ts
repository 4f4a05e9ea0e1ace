import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildReport } from '../../src/html-report/data/build-report-data.ts';
import { livePage, loadPage, reportPage, viewerPage } from '../../src/html-report/html-page.ts';
import { call, cassette as cassetteOf, client } from '../support/conversation.ts';

const assets = { script: 'run();', style: 'p{}' };
const BLOCK = /<script type="text\/plain" id="data">([\s\S]*?)<\/script>/;

it('whatever a cassette says comes back from the page, and ends no tag', () => {
  const hostile = fc.constantFrom('</script>', '<!--', '<script>', ']]>', '\u2028', '"', "'", '\\', 'a', '&lt;');
  fc.assert(
    fc.property(fc.array(hostile), (parts) => {
      const data = buildReport([cassetteOf(client(call(1, parts.join(''))))]);
      const page = reportPage(data, assets);
      const block = BLOCK.exec(page)?.[1] ?? '';
      expect(JSON.parse(gunzipSync(Buffer.from(block, 'base64')).toString())).toEqual(data);
      expect(block).toMatch(/^[\w+/]+=*$/);
      expect(page.match(/<\/?script/g)).toHaveLength(4);
    }),
  );
});

it('what was said takes less room than it did', () => {
  const events = Array.from({ length: 1_000 }, (_, id) =>
    client(call(id, 'echo', { message: `again and again, ${id}` })),
  );
  const data = buildReport([cassetteOf(...events)]);
  expect(reportPage(data, assets).length).toBeLessThan(JSON.stringify(data).length / 5);
});

it('a hostile name of a file stays text', () => {
  const cassette = { ...cassetteOf(client(call(1, 'a'))), file: '</title><script>alert(1)</script>"' };
  expect(reportPage(buildReport([cassette]), assets)).toContain(
    '<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot; ·',
  );
});

it('the policy allows the script and the style by their digests, and nothing else', () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(reportPage(buildReport([]), assets))?.[1];
  expect(policy?.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'sha256-vUOElbTHLp1UxxGV/I6teJfpCV5vgaasYjEhPKN2fqQ='",
    "style-src 'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='",
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
});

it('the page of a load has the same policy, and its figures come back from it', () => {
  const figures = {
    run: { version: '1', date: '2026-11-29T04:12:00.000Z', clients: 1, for: 1, ramp: 0, workers: 1 },
    ...{ files: ['</title><script>alert(1)</script>'], duration: 1, sessions: 1, failedSessions: 0, answers: 1 },
    ...{
      checks: 1,
      failed: 0,
      lostStreams: 0,
      resumedStreams: 0,
      calls: [],
      intervals: [],
      failures: [],
      thresholds: [],
      notes: ['</script>'],
    },
  };
  const data = { version: '1', figures, checks: [{ title: '<!--<script>', status: 'passed' }] };
  const page = loadPage(data, assets);
  expect(JSON.parse(gunzipSync(Buffer.from(BLOCK.exec(page)![1]!, 'base64')).toString())).toEqual(data);
  expect(page.match(/<\/?script/g)).toHaveLength(4);
  expect(page).toContain("script-src 'sha256-vUOElbTHLp1UxxGV/I6teJfpCV5vgaasYjEhPKN2fqQ='; ");
  expect(page).toContain('<title>load of &lt;/title&gt;&lt;script&gt;');
});

it('a timeline is titled by all of its sessions, another page by its first', () => {
  const [first, second] = ['a.yaml', 'b.yaml'].map((file) => ({ ...cassetteOf(client(call(1, 'a'))), file }));
  const data = buildReport([first!, second!]);
  const titleOf = (page: string) => /<title>(.*) · mcp-record<\/title>/.exec(page)?.[1];
  const titles = data.views.map(({ title }) => title);
  expect(titleOf(reportPage(data, assets))).toBe(titles[0]);
  expect(titleOf(reportPage({ ...data, isTimeline: true }, assets))).toBe(titles.join(', '));
});

it.each([
  ['the live page connects to its own server', livePage('1', assets), "connect-src 'self'"],
  ['the page that opens cassettes starts its worker', viewerPage('1', { ...assets, worker: 'x' }), 'worker-src blob:'],
])('%s, and to nothing else', (_, page, allowed) => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!.split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy.filter((each) => /^(?:connect|worker)-src/.test(each))).toEqual([allowed]);
});
