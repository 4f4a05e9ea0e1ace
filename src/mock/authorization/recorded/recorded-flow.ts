/** JSON object of a recorded response. */
export type Document = Readonly<Record<string, unknown>>;

/** Response to a request that a server refused. */
export interface RecordedRefusal {
  status: number;
  /** `WWW-Authenticate`. Its addresses are those of the recorded server. */
  challenge?: string;
  /** JSON of the body. */
  body?: unknown;
}

/** Messages that need more scopes. */
interface RecordedScopeRule {
  method?: string;
  tool?: string;
  scopes: readonly string[];
}

/** Refusal of a request that needs more scopes. */
export interface RecordedStepUp extends RecordedRefusal {
  rule: RecordedScopeRule;
  /** The token had the scopes, and the client gave up. */
  isFinal?: boolean;
}

/** Names in a flow that ended without a token, and that belong to another server. */
export interface MismatchedNames {
  /** `resource` of the metadata of the resource. */
  resource?: string;
  /** `issuer` of the metadata of the authorization server. */
  issuer?: string;
  /** `iss` of authorization responses. */
  iss?: string;
  /** What follows the issuer in `iss` of authorization responses, such as a slash. */
  issSuffix?: string;
}

/** What a recorded authorization flow shows, beyond the options of the mock authorization server. */
export interface RecordedAuthorization {
  /** Metadata of the authorization server. Absent: a client asked for it in vain, or never. */
  serverMetadata?: Document;
  /** Whether a client asked for the metadata of the authorization server in vain. */
  isServerMetadataMissing: boolean;
  resourceMetadata?: Document;
  /** Statuses of the addresses without metadata of the resource: of the origin, and of the endpoint. */
  missingResourceMetadata: { origin?: number; endpoint?: number };
  /** Refusal of a request without a token. */
  withoutToken?: RecordedRefusal;
  /** Refusal of a request with a token that is not valid. */
  invalidToken?: RecordedRefusal;
  /** Paths without metadata of the authorization server, at the origin that has it at another path. */
  missingServerMetadata: readonly string[];
  /** Refusals of requests that need more scopes. Each has a rule in `stepUp`. */
  insufficientScope: readonly RecordedStepUp[];
  /** Refusal of every registration. */
  registration?: RecordedRefusal;
  /** Grants of the token endpoint. Absent: the server does not say which it has. */
  grantTypes?: readonly string[];
  /** Scopes that clients may request. Absent: the server does not say which it has. */
  scopes?: readonly string[];
  /** Errors of requests for scopes, by {@link scopeKey}. */
  refusedScopes: ReadonlyMap<string, Document>;
  /** Granted scopes, by the {@link scopeKey} of the requested ones. */
  grantedScopes: ReadonlyMap<string, readonly string[]>;
  /** Whether authorization responses name the issuer (RFC 9207). */
  namesIssuer: boolean;
  /** Names that the client did not accept, in place of those of the mock server. */
  mismatched: MismatchedNames;
  /** Token response, whose members tell which ones clients get. */
  tokenResponse?: Document;
}

/** Returns the key of requested scopes, in which their order does not count. Undefined stands for a request without scopes. */
export function scopeKey(scopes: readonly string[] | undefined): string {
  return [...(scopes ?? [])].sort().join(' ');
}
