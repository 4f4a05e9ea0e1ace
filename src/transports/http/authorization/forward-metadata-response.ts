import { cannotAuthorize, refuse } from '../proxy/error-response.ts';
import type { ExchangeLifecycle, ExchangeOptions, ResponseHandler } from '../proxy/exchange-options.ts';
import type { RawHeaders } from '../proxy/http-traffic.ts';
import type { RewrittenMetadata } from './rewrite-metadata.ts';

/** Maximum length of a metadata document. Real ones have a few kilobytes. */
const METADATA_BYTES_MAX = 1024 * 1024;

const TOO_LONG: RewrittenMetadata = {
  text: '',
  refusal: `the metadata is longer than ${METADATA_BYTES_MAX} bytes`,
};

/** Body of a metadata response, collected to be rewritten. */
export class MetadataText {
  readonly #rewrite: (text: string) => RewrittenMetadata;
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(rewrite: (text: string) => RewrittenMetadata) {
    this.#rewrite = rewrite;
  }

  add(data: Buffer): void {
    this.#length += data.length;
    if (this.#length <= METADATA_BYTES_MAX) this.#pieces.push(data);
  }

  rewritten(): RewrittenMetadata {
    return this.#length > METADATA_BYTES_MAX ? TOO_LONG : this.#rewrite(Buffer.concat(this.#pieces).toString());
  }
}

interface MetadataAnswer {
  exchange: ExchangeOptions;
  /** Received header fields. */
  rawHeaders: RawHeaders;
  /** Header fields for the client, without a length. */
  headers: readonly string[];
  course: ExchangeLifecycle;
  metadata(text: string): RewrittenMetadata;
}

/**
 * Forwards a metadata response: collected, rewritten, or refused if the client cannot use its addresses through the
 * proxy.
 */
export function metadataResponse(options: MetadataAnswer): ResponseHandler {
  const { rawHeaders, headers, course } = options;
  const { answer, tap } = options.exchange;
  const { clock, trouble } = options.exchange.common;
  const text = new MetadataText(options.metadata);
  tap({ kind: 'response', at: clock.now(), status: 200, headers: rawHeaders });
  return {
    data(data) {
      tap({ kind: 'data', at: clock.now(), from: 'server', data });
      text.add(data);
    },
    end() {
      const found = text.rewritten();
      if (found.refusal === undefined) {
        const body = Buffer.from(found.text);
        answer.head(200, 'OK', [...headers, 'Content-Length', String(body.length)]);
        answer.write(body);
        answer.end();
      } else {
        const error = cannotAuthorize(found.refusal);
        trouble(error);
        refuse(answer, 502, error);
      }
      course.answered();
    },
  };
}
