import { parseJson } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { SharedSecrets } from '../../redact/shared-secrets.ts';
import type { BodyMemory } from '../../transports/http/http1/body-memory.ts';
import { headerOf, isIdentity, mediaType } from '../../transports/http/http1/raw-headers.ts';
import type { HttpTrafficEvent, RawHeaders, TrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { decodeBody } from '../http/decode-body.ts';
import { RecordedBody } from '../http/recorded-body.ts';

export interface PassingCredentialsOptions {
  /** Creates the redactor of a cassette. */
  redactor(): Redactor;
  /** Memory of bodies, shared with the recorders. */
  memory: BodyMemory;
  /** Called with an error of the search. The traffic goes on. */
  failed(error: unknown): void;
}

type Listener = (piece: HttpTrafficEvent) => void;

/** Fields of requests that are credentials (RFC 6749, 7009, 7521, 7636, 8628, 8693; OpenID Connect). */
const SENT: ReadonlySet<string> = new Set([
  ...['code', 'code_verifier', 'refresh_token', 'access_token', 'client_secret', 'client_assertion', 'assertion'],
  ...['subject_token', 'actor_token', 'password', 'device_code', 'token', 'id_token_hint'],
]);

/** Members of responses that are credentials (RFC 6749, 7591, 8628; OpenID Connect). */
const ANSWERED: ReadonlySet<string> = new Set([
  ...['access_token', 'refresh_token', 'id_token', 'client_secret', 'registration_access_token', 'device_code'],
]);

/** Parameters of redirects that are credentials. */
const REDIRECTED: ReadonlySet<string> = new Set(['code', 'access_token', 'id_token']);

/** Maximum length of a body that is searched. Those of authorization flows have a few kilobytes. */
const BODY_BYTES_MAX = 1024 * 1024;

/** Maximum length of a response that is searched before its end. */
const EARLY_BYTES_MAX = 64 * 1024;

/** Levels of JSON that are searched: some servers answer with the tokens of a user and of an application. */
const DEPTH_MAX = 3;

/**
 * Credentials in the traffic of a recorder: those in headers of requests, and those of authorization flows. The redactors
 * of all its cassettes know them, because a server may repeat one in any session.
 */
export class PassingCredentials {
  readonly #options: PassingCredentialsOptions;
  readonly #secrets: SharedSecrets;

  constructor(options: PassingCredentialsOptions) {
    this.#options = options;
    this.#secrets = new SharedSecrets(options.redactor().userRules.rules);
  }

  /** Creates the redactor of a cassette, which knows all credentials that have passed or will pass. */
  readonly createRedactor = (): Redactor => {
    const redactor = this.#options.redactor();
    redactor.shareSecrets(this.#secrets);
    return redactor;
  };

  /**
   * Starts an exchange. Returns a listener for its traffic, in order, which has to get each event before the recorder
   * does. `isEndpoint` tells paths of MCP endpoints: the bodies there are messages. The listener never throws.
   */
  exchange(isEndpoint: (path: string) => boolean = () => false): Listener {
    const searched = new SearchedExchange(isEndpoint, this.#secrets, this.#options.memory);
    return (piece) => {
      try {
        searched.take(piece);
      } catch (error) {
        this.#options.failed(error);
      }
    };
  }
}

/** HTTP exchange whose bodies are searched for credentials. */
class SearchedExchange {
  readonly #isEndpoint: (path: string) => boolean;
  readonly #secrets: SharedSecrets;
  readonly #memory: BodyMemory;
  /** Bodies that are searched. */
  #sent: SearchedBody | undefined;
  #received: SearchedBody | undefined;
  #isOfEndpoint = false;

  constructor(isEndpoint: (path: string) => boolean, secrets: SharedSecrets, memory: BodyMemory) {
    this.#isEndpoint = isEndpoint;
    this.#secrets = secrets;
    this.#memory = memory;
  }

  take(piece: HttpTrafficEvent): void {
    switch (piece.kind) {
      case 'request':
        return this.#open(piece);
      case 'response':
        this.#readSent();
        return this.#begin(piece);
      case 'data':
        (piece.from === 'client' ? this.#sent : this.#received)?.body.add(piece.data);
        if (piece.from === 'server') this.#readEarly(piece.data);
        return;
      case 'end':
        return piece.from === 'client' ? this.#readSent() : this.#readReceived();
      case 'gone':
        this.#readSent();
        return this.#readReceived();
    }
  }

  #open({ path, headers }: TrafficEvent<'request'>): void {
    this.#secrets.learnHeaders(headers);
    this.#learnFields(path.split('?', 2)[1] ?? '', REDIRECTED);
    this.#isOfEndpoint = this.#isEndpoint(path);
    const type = mediaType(headerOf(headers, 'content-type'));
    if (type === FORM || isJsonType(type)) this.#sent = this.#searched(headers);
  }

  #begin({ headers }: TrafficEvent<'response'>): void {
    const [, query = '', fragment = ''] =
      /^[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(headerOf(headers, 'location') ?? '') ?? [];
    for (const fields of [query, fragment]) this.#learnFields(fields, REDIRECTED);
    if (isJsonType(mediaType(headerOf(headers, 'content-type')))) this.#received = this.#searched(headers);
  }

  #searched(headers: RawHeaders): SearchedBody | undefined {
    return this.#isOfEndpoint ? undefined : { headers, body: new RecordedBody(BODY_BYTES_MAX, this.#memory) };
  }

  #readSent(): void {
    const text = textOf(this.#sent);
    const isForm = mediaType(headerOf(this.#sent?.headers ?? [], 'content-type')) === FORM;
    this.#sent = undefined;
    if (isForm) return this.#learnFields(text, SENT);
    const sent = text === '' ? undefined : parseJson(text);
    this.#learnMembers(sent, isObject(sent) && 'grant_type' in sent ? SENT : ANSWERED);
  }

  #readReceived(): void {
    const text = textOf(this.#received);
    this.#received = undefined;
    if (text !== '') this.#learnMembers(parseJson(text), ANSWERED);
  }

  /** Searches a response that is complete before its end: its client may already use the token. */
  #readEarly(data: Uint8Array): void {
    const { headers, body } = this.#received ?? {};
    if (headers === undefined || body === undefined || !isIdentity(headers) || !/\}\s*$/.test(latin1(data))) return;
    const text = body.isCut ? '' : Buffer.from(body.beginning(EARLY_BYTES_MAX)).toString();
    if (text !== '') this.#learnMembers(parseJson(text), ANSWERED);
  }

  #learnFields(form: string, names: ReadonlySet<string>): void {
    if (form === '') return;
    for (const [name, value] of new URLSearchParams(form)) if (names.has(name)) this.#secrets.add(name, value);
  }

  #learnMembers(value: unknown, names: ReadonlySet<string>, depth = 1): void {
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && names.has(name)) this.#secrets.add(name, member);
      else if (depth < DEPTH_MAX) this.#learnMembers(member, names, depth + 1);
    }
  }
}

interface SearchedBody {
  headers: RawHeaders;
  body: RecordedBody;
}

const FORM = 'application/x-www-form-urlencoded';

/** Length of the end of a piece that is looked at. */
const ENDING_LENGTH = 16;

function latin1(data: Uint8Array): string {
  return Buffer.from(data.subarray(-ENDING_LENGTH)).toString('latin1');
}

/** Returns a body as text, and releases its memory. Of a longer one, the beginning. */
function textOf(searched: SearchedBody | undefined): string {
  if (searched === undefined) return '';
  const { data } = decodeBody(searched.headers, Buffer.from(searched.body.take()), BODY_BYTES_MAX);
  return Buffer.from(data ?? '').toString();
}

function isJsonType(type: string | undefined): boolean {
  return type !== undefined && /[/+]json$/.test(type);
}
