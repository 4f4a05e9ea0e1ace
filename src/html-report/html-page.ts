import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { LoadPageData } from './data/load/load-page-data.ts';
import type { ReportData } from './data/report-data-types.ts';

/** Script and style sheet of a page. */
export interface ReportAssets {
  script: string;
  style: string;
}

/** Assets of the page that opens cassettes, including the script of its worker. */
export interface ViewerAssets extends ReportAssets {
  worker: string;
}

/**
 * Returns a self-contained HTML page. The data is compressed, as base64, in a script block that browsers do not
 * execute. The Content-Security-Policy allows only this script, this style sheet and embedded images and audio. It
 * forbids network access and HTML from strings.
 */
export function reportPage(data: ReportData, assets: ReportAssets): string {
  return documentOf(assets, {
    title: data.isTimeline ? data.views.map(({ title }) => title).join(', ') : (data.views[0]?.title ?? 'session'),
    version: data.version,
    drawn: 'the session',
    noScript: '<code>mcp-record show</code> prints the same on a terminal.',
    data: dataBlock(data),
    network: [],
  });
}

/** Returns the page of a load, self-contained as that of {@link reportPage}. */
export function loadPage(data: LoadPageData, assets: ReportAssets): string {
  return documentOf(assets, {
    title: `load of ${data.figures.files.join(', ')}`,
    version: data.version,
    drawn: 'the figures of the load',
    noScript: '<code>mcp-record load</code> prints them on a terminal.',
    data: dataBlock(data),
    network: [],
  });
}

function dataBlock(data: ReportData | LoadPageData): string {
  return packedBlock(JSON.stringify(data));
}

function packedBlock(text: string): string {
  return `<script type="text/plain" id="data">${gzipSync(text).toString('base64')}</script>\n`;
}

/**
 * Returns the page that opens cassettes, self-contained as that of {@link reportPage}. Its data is the script of the
 * worker that reads them: the policy allows this worker, which has the same policy, and no connection.
 */
export function viewerPage(version: string, { worker, ...assets }: ViewerAssets): string {
  return documentOf(assets, {
    title: 'Open a cassette',
    version,
    drawn: 'sessions',
    noScript: '<code>mcp-record show</code> prints them on a terminal.',
    before: '<div id="opener"></div>\n',
    data: packedBlock(worker),
    network: ['worker-src blob:'],
    policies: ['worker'],
  });
}

/** Returns the live page, without a session. Its policy allows connections to its own server only. */
export function livePage(version: string, assets: ReportAssets): string {
  return documentOf(assets, {
    title: 'Sessions',
    version,
    drawn: 'the session',
    noScript: '<code>mcp-record show --follow</code> prints the same on a terminal.',
    data: '',
    network: ["connect-src 'self'"],
  });
}

interface DocumentParts {
  title: string;
  version: string;
  /** What the script draws. */
  drawn: string;
  /** HTML that names an alternative for browsers without scripts. */
  noScript: string;
  /** HTML before the report. Default: none. */
  before?: string;
  /** HTML of the data block. */
  data: string;
  /** Directives of the policy that allow connections and workers. */
  network: readonly string[];
  /** Names of the policies of Trusted Types that the script creates. Default: none. */
  policies?: readonly string[];
}

function documentOf(
  { script, style }: ReportAssets,
  { title, version, drawn, noScript, before = '', data, network, policies = ["'none'"] }: DocumentParts,
): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    'media-src data:',
    ...network,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${policies.join(' ')}`,
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="mcp-record ${escaped(version)}">
<title>${escaped(title)} · mcp-record</title>
<style>${style}</style>
</head>
<body>
<noscript><p>This page draws ${drawn} with a script of its own. ${noScript}</p></noscript>
${before}<div id="page"></div>
${data}<script type="module">${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
