import { createHash, timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { cannotOpen, loadCassette } from '../cassette/read/load-cassette.ts';
import { livePage, type ReportAssets } from '../html-report/html-page.ts';
import type { Clock } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { packageVersion } from '../kernel/installed-package.ts';
import type { Redactor } from '../redact/redactor.ts';
import { printable } from '../text-report/printable-text.ts';
import { mediaType } from '../transports/http/http1/raw-headers.ts';
import {
  type HttpListener,
  type HttpResponder,
  listen,
  type ReceivedHttpRequest,
} from '../transports/http/server/http-listener.ts';
import { GrowingCassette } from './cassettes/growing-cassette.ts';
import { SessionList } from './cassettes/watch-cassette-folder.ts';
import { AnswerEditor } from './edit/answer-editor.ts';
import { PageConnection } from './page-connection.ts';
import { GrowingCassetteView } from './sessions/growing-cassette-view.ts';
import type { ServerUnderTest } from './verification/verified-server-types.ts';
import { ACTION_BYTES_MAX, PageActions } from './work/page-actions.ts';

export interface UiServerOptions {
  /** A folder of cassettes, or one cassette. */
  path: string;
  /** Loopback address, and a port; 0 picks a free one. */
  address: { hostname: string; port: number };
  /** Secret that authorizes a browser: the first segment of each path. */
  key: string;
  assets: ReportAssets;
  clock: Clock;
  /** The server that pages may verify. Absent: pages say how to name one. */
  server?: ServerUnderTest;
  /** Creates the redactor that looks for secrets in edited answers. */
  redactor(): Redactor;
  /** Called with each rejected request and the reason. */
  refused(request: string, why: string): void;
}

/**
 * Serves the report page to browsers of this machine. It shows the sessions of a folder, or of one cassette, during the
 * recording.
 * @throws McpRecordError HTTP_CANNOT_LISTEN, and those of `loadCassette`
 */
export async function startUiServer(given: UiServerOptions): Promise<HttpListener> {
  const { path, clock, address, key } = given;
  const refused = (request: string, why: string) => given.refused(request.replaceAll(key, '…'), why);
  const options = { ...given, refused };
  const isFolder = isFolderAt(path);
  const list = new SessionList({
    folder: isFolder ? path : dirname(path),
    isWanted: (name) => (isFolder ? name.endsWith('.yaml') : name === basename(path)),
    hasSubfolders: isFolder,
    clock,
  });
  const editor = new AnswerEditor({
    folder: list.folder,
    row: (name) => list.row(name),
    fileOf: (name) => list.fileOf(name),
    redactor: given.redactor,
    saved: (name, version) => list.noteEdit(name, version),
  });
  const actions = new PageActions({ list, editor, clock, server: given.server });
  const pages = new Pages(options, { list, isFolder, actions });
  const listener = await listen({
    ...address,
    path: `/${key}/`,
    otherPaths: 'all',
    allowed: [],
    bodyMax: ACTION_BYTES_MAX,
    refused,
    serve: (request, responder) => pages.serve(request, responder),
  });
  try {
    list.start();
  } catch (error) {
    await listener.close();
    throw cannotOpen(path, error);
  }
  return {
    url: listener.url,
    close: async () => {
      list.stop();
      pages.stop();
      await actions.stop();
      await listener.close();
    },
  };
}

/**
 * Reports whether the path is a folder.
 * @throws McpRecordError those of `loadCassette`, if the path is neither a folder nor a readable cassette
 */
function isFolderAt(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return true;
  const cassette = new GrowingCassette(path);
  const { events } = cassette.read();
  const isUseless = cassette.problem !== undefined && events.length === 0;
  if (stats === undefined || isUseless || cassette.bytes === 0) loadCassette(path);
  return false;
}

interface Served {
  list: SessionList;
  isFolder: boolean;
  actions: PageActions;
}

/** The open pages. Pages of the same session share one reader. */
class Pages {
  readonly #options: UiServerOptions;
  readonly #served: Served;
  readonly #page: string;
  readonly #live = new Map<string, GrowingCassetteView>();

  constructor(options: UiServerOptions, served: Served) {
    this.#options = options;
    this.#served = served;
    this.#page = livePage(packageVersion(), options.assets);
    served.list.onFile((name) => this.#live.get(name)?.update());
  }

  stop(): void {
    for (const live of this.#live.values()) live.stop();
  }

  serve(request: ReceivedHttpRequest, responder: HttpResponder): () => void {
    const { method, target, headers } = request;
    const [path = '', query = ''] = target.split(/\?(.*)/s, 2);
    const [, key = '', name = ''] = /^\/([^/]*)(.*)$/s.exec(path) ?? [];
    const refusal = this.#refusalOf({ key, method, origin: headers.origin, host: headers.host });
    if (refusal) return this.#refuse(responder, 403, refusal, `${method} ${target}`);
    if (method === 'POST' && this.#served.actions.has(name)) {
      // Pages of other origins can send JSON only after a preflight.
      if (mediaType(headers['content-type']) !== 'application/json')
        return this.#refuse(responder, 415, notServed('a body that is not application/json'));
      return this.#perform(name, request.body, responder);
    }
    if (method !== 'GET') return this.#refuse(responder, 405, notServed(`${method}`));
    if (name === '/events') return this.#connect(responder, new URLSearchParams(query).getAll('session'));
    if (name === '') responder.answer({ status: 308, headers: { location: `/${key}/${query && `?${query}`}` } });
    else if (name === '/') responder.answer({ status: 200, headers: PAGE_HEADERS, body: this.#page });
    else return this.#refuse(responder, 404, notServed(printable(name)));
    return () => {};
  }

  /** Returns the error for a request with a wrong key, or from a page of another origin. */
  #refusalOf(request: Record<'key' | 'method' | 'origin' | 'host', string | undefined>): McpRecordError | undefined {
    const { key, method, origin, host } = request;
    // Browsers send an `Origin` header with each POST, but with no GET of a page.
    if (origin === undefined ? method === 'POST' : origin !== `http://${host}`) {
      return new McpRecordError({
        code: 'UI_OTHER_ORIGIN',
        what: 'Cannot serve this request',
        why: origin === undefined ? 'it names no origin, as a page does' : `it comes from a page of ${origin}`,
        next: 'Open the URL that mcp-record ui has printed.',
      });
    }
    if (isSame(key ?? '', this.#options.key)) return undefined;
    return new McpRecordError({
      code: 'UI_WRONG_KEY',
      what: 'Cannot serve this request',
      why: 'the first part of its path is not the key of this server',
      next: 'Open the URL that mcp-record ui has printed: each start has a key of its own.',
    });
  }

  #refuse(responder: HttpResponder, status: number, error: McpRecordError, request?: string): () => void {
    if (request !== undefined) this.#options.refused(request, error.problem.why);
    responder.answer({ status, headers: TEXT_HEADERS, body: `mcp-record: ${error.message}\n` });
    return () => {};
  }

  #perform(action: string, body: string, responder: HttpResponder): () => void {
    let isGone = false;
    void this.#served.actions.perform(action, body).then((answer) => {
      if (!isGone) responder.answer({ ...answer, headers: JSON_HEADERS, body: `${JSON.stringify(answer.body)}\n` });
    });
    return () => {
      isGone = true;
    };
  }

  #connect(responder: HttpResponder, wanted: readonly string[]): () => void {
    const { list, isFolder, actions } = this.#served;
    const { path, clock, server } = this.#options;
    const names = [...new Set(wanted)];
    const hello = {
      version: packageVersion(),
      path: printable(path),
      isFolder,
      isEmpty: list.isEmpty,
      ...(server && { server: printable(server.name) }),
    };
    if (names.length > SESSIONS_MAX || names.some((name) => list.row(name) === undefined)) {
      responder.stream(SAFE_HEADERS);
      responder.event(JSON.stringify({ hello, isUnknown: true }));
      return () => {};
    }
    const sessions = names.map((name) => ({ name, live: this.#live.get(name) ?? this.#read(name) }));
    const [only, ...others] = names;
    const work = only !== undefined && others.length === 0 ? actions.workOf(only) : undefined;
    const connection = new PageConnection({ responder, clock, hello, list, sessions, ...(work && { work }) });
    return () => {
      connection.close();
      for (const { name, live } of sessions) {
        if (live.isWatched) continue;
        live.stop();
        this.#live.delete(name);
      }
    };
  }

  #read(name: string): GrowingCassetteView {
    const live = new GrowingCassetteView(this.#served.list.fileOf(name), this.#options.clock);
    this.#live.set(name, live);
    return live;
  }
}

/** Maximum number of sessions on one timeline. */
const SESSIONS_MAX = 20;

function notServed(what: string): McpRecordError {
  return new McpRecordError({
    code: 'UI_NOT_SERVED',
    what: `Cannot serve ${what}`,
    why: 'there is nothing but the page and its events, to be read with GET, and the actions of the page',
    next: 'Open the URL that mcp-record ui has printed.',
  });
}

/** Compares two secrets in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}

const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};
const TEXT_HEADERS = { ...SAFE_HEADERS, 'content-type': 'text/plain; charset=utf-8' };
const JSON_HEADERS = { ...SAFE_HEADERS, 'content-type': 'application/json', 'cache-control': 'no-store' };
const PAGE_HEADERS = {
  ...SAFE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
};
