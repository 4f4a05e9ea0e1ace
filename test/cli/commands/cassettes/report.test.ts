import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { reportCommand } from './report-command.ts';

const cassette = 'cassettes/memory.yaml';
const { report, at } = reportCommand();

it('a page is one file that names no other', () => {
  const { status, stdout, stderr } = report(cassette);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  const markup = stdout.replaceAll(/(<script[^>]*>)[\s\S]*?<\/script>/g, '$1');
  expect(/https?:|\bsrc=|<link|@import|url\(/.exec(markup)).toBeNull();
  const script = /<script type="module">([\s\S]*?)<\/script>/.exec(stdout)?.[1] ?? '';
  expect(script.length).toBeGreaterThan(10_000);
  const loading =
    /(?:^|[;}\n])import\b|\bimport\(|\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|new Function|\beval\(/;
  expect(loading.exec(script)?.[0]).toBeUndefined();
});

const opened = (recorded: string, name: string) =>
  `format: mcp-record/1\n${recorded}events:\n- client: { id: 1, method: tools/call, params: { name: ${name} } }\n- server: { id: 1, result: { content: [] } }\n`;

it('a timeline has each session once, and no comparison', () => {
  const [a, b] = ['a', 'b'].map((name) => at(`${name}.yaml`, opened("recorded: '2026-11-29T12:00:00.250Z'\n", name)));
  const { status, stdout, stderr } = report('--timeline', a!, b!);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`<title>${a}, ${b} · mcp-record</title>`);
  const block = /id="data">([^<]*)</.exec(stdout)?.[1] ?? '';
  const { views, isTimeline } = JSON.parse(gunzipSync(Buffer.from(block, 'base64')).toString());
  expect([isTimeline, views.map(({ kind, title }: { kind: string; title: string }) => [kind, title])]).toEqual([
    true,
    [
      ['session', a],
      ['session', b],
    ],
  ]);
});
