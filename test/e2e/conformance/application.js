import { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/client';

const BACK = 'http://127.0.0.1:1/back';

/** What authorizes itself, as `context` of the suite has it: by its own credentials, or by its user's agreement. */
export function application(context, browser) {
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context;
  if (privateKey) return new PrivateKeyJwtProvider({ clientId, privateKey, algorithm: context.signing_algorithm });
  if (clientSecret) return new ClientCredentialsProvider({ clientId, clientSecret });
  return new Application(browser);
}

/** Has nothing at first, and keeps what it is given. Its user agrees to everything. */
class Application {
  clientMetadata = { client_name: 'conformance-client', redirect_uris: [BACK] };
  clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';
  redirectUrl = BACK;
  /** What the browser was sent back with. */
  answer = new URLSearchParams();
  #kept = {};
  #browser;

  constructor(browser) {
    this.#browser = browser;
  }

  clientInformation = () => this.#kept.client;
  saveClientInformation = (client) => this.#keep({ client });
  tokens = () => this.#kept.tokens;
  /** What led to the tokens may lead elsewhere the next time. */
  saveTokens = (tokens) => this.#keep({ tokens, discovery: undefined });
  codeVerifier = () => this.#kept.verifier;
  saveCodeVerifier = (verifier) => this.#keep({ verifier });
  discoveryState = () => this.#kept.discovery;
  saveDiscoveryState = (discovery) => this.#keep({ discovery });

  async redirectToAuthorization(url) {
    let next = url;
    while (!next.href.startsWith(BACK)) {
      const page = await fetch(next, { redirect: 'manual' });
      next = new URL(page.headers.get('location'), next);
      if (!this.#browser.followsRedirects) break;
    }
    this.answer = next.searchParams;
  }

  #keep(given) {
    Object.assign(this.#kept, given);
  }
}
