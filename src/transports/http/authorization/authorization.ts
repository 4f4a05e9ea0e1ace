import type { McpRecordError } from '../../../kernel/errors.ts';
import { type Names, towardsClient } from '../names.ts';
import { cannotAuthorize } from '../refuse.ts';
import type { Upstream } from '../upstream.ts';
import { challengeThrough } from './challenge.ts';
import { formField, mapFormField } from './form-field.ts';
import { Fronts } from './fronts.ts';
import { type Found, metadataThrough } from './metadata.ts';

export interface AuthorizationOptions {
  names: Names & { upstream: Upstream };
  /** May name proxies by which authorization servers are reached. */
  env?: NodeJS.ProcessEnv | undefined;
  /** Told what will keep some clients from being authorized. */
  trouble(error: McpRecordError): void;
}

/** What a request that came to us is passed on as. */
export interface Way {
  upstream: Upstream;
  path: string;
  /** Whether that is an authorization server, and not the server of the run. */
  isAside: boolean;
  rewriting: Rewriting;
}

/** What changes in an answer, so that the client finds through us what it speaks of. */
export interface Rewriting {
  /** The target of a redirect. */
  location(uri: string): string;
  /** A `WWW-Authenticate` field. */
  challenge(field: string): string;
  /** The body of an answer that is metadata; absent where it is none. */
  metadata?(text: string): Found;
}

/** What to do with a request: pass it on, send the browser elsewhere, or refuse it. */
export type Turn = Way | { redirect: string } | { refusal: number; why: string };

/** Documents that say where authorization is had: RFC 9728, RFC 8414, OpenID Connect Discovery. */
const METADATA =
  /\/\.well-known\/(?:oauth-protected-resource|oauth-authorization-server|openid-configuration)\b/;

/**
 * Authorization through us (MCP "Authorization", RFC 9728): the client learns our addresses of the server and of its
 * authorization servers, and who issues tokens learns the server's own, so that they are good for it. Of tokens, codes
 * and passwords nothing is read.
 */
export class Authorization {
  readonly #names: Names & { upstream: Upstream };
  readonly #fronts: Fronts;
  /** What challenges named as metadata, wherever that lies. */
  readonly #metadata = new Set<string>();
  readonly #trouble: (error: McpRecordError) => void;

  constructor({ names, env, trouble }: AuthorizationOptions) {
    this.#names = names;
    this.#fronts = new Fronts(names, env);
    this.#trouble = trouble;
  }

  /** Where a request for `path`, of a client that knows us as `host`, goes. */
  turn(path: string, host: string): Turn {
    const { upstream } = this.#names;
    const behind = this.#fronts.behind(path);
    if (behind === undefined) return this.#way({ upstream, path, host, isAside: false });
    if ('stranger' in behind)
      return { refusal: 404, why: `the server has not named ${behind.stranger} in this run` };
    if ('upstream' in behind) return this.#way({ ...behind, host, isAside: true });
    const [page = '', query] = behind.browser.split('?', 2);
    return { redirect: query === undefined ? page : `${page}?${this.#named(query)}` };
  }

  /** A form for an authorization server, or why it cannot be had. */
  form(text: string): { text: string } | { refusal: string } {
    if (formField(text, 'client_assertion') !== undefined)
      return {
        refusal: 'the client signed the address of the recorder, and the authorization server has another',
      };
    return { text: this.#named(text) };
  }

  #named(form: string): string {
    return mapFormField(form, 'resource', (uri) => this.#fronts.resource(uri));
  }

  #way({ upstream, path, host, isAside }: Omit<Way, 'rewriting'> & { host: string }): Way {
    const fronts = this.#fronts;
    const isMetadata = METADATA.test(path) || this.#metadata.has(upstream.origin + path);
    const rewriting: Rewriting = {
      location: (uri) => (isAside ? fronts.through(uri, host) : towardsClient(uri, upstream, host)),
      challenge: (field) =>
        challengeThrough(field, (uri) => {
          this.#metadata.add(uri);
          fronts.named(uri);
          return fronts.through(uri, host);
        }),
    };
    if (isMetadata) rewriting.metadata = (text) => this.#found(text, host);
    return { upstream, path, isAside, rewriting };
  }

  #found(text: string, host: string): Found {
    const found = metadataThrough(text, {
      named: (uri) => this.#fronts.named(uri),
      through: (uri, as) => this.#fronts.through(uri, host, as),
    });
    if (found.warning !== undefined) this.#trouble(cannotAuthorize(found.warning));
    return found;
  }
}
