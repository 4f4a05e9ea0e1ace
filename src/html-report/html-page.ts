import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ReportData } from './data/report-data-types.ts';

/** Script and style sheet of a page. */
export interface ReportAssets {
  script: string;
  style: string;
}

/**
 * Returns a self-contained HTML page. The data is compressed, as base64, in a script block that browsers do not
 * execute. The Content-Security-Policy allows only this script, this style sheet and embedded images and audio. It
 * forbids network access and HTML from strings.
 */
export function reportPage(data: ReportData, assets: ReportAssets): string {
  return documentOf(assets, {
    title: data.views[0]?.title ?? 'session',
    version: data.version,
    noScript: '<code>mcp-record show</code> prints the same on a terminal.',
    data: `<script type="text/plain" id="data">${gzipSync(JSON.stringify(data)).toString('base64')}</script>\n`,
    network: [],
  });
}

/** Returns the live page, without a session. Its policy allows connections to its own server only. */
export function livePage(version: string, assets: ReportAssets): string {
  return documentOf(assets, {
    title: 'Sessions',
    version,
    noScript: '<code>mcp-record show --follow</code> prints the same on a terminal.',
    data: '',
    network: ["connect-src 'self'"],
  });
}

interface DocumentParts {
  title: string;
  version: string;
  /** HTML that names an alternative for browsers without scripts. */
  noScript: string;
  /** HTML of the data block. */
  data: string;
  /** Directives of the policy that allow connections. */
  network: readonly string[];
}

function documentOf(
  { script, style }: ReportAssets,
  { title, version, noScript, data, network }: DocumentParts,
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
    "trusted-types 'none'",
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
<noscript><p>This page draws the session with a script of its own. ${noScript}</p></noscript>
<div id="page"></div>
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
