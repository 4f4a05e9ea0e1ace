import type { Frame } from '../../channel/frame.ts';
import { messageIn, withoutMark } from '../../channel/line-to-message.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { errorOf, isResponse } from '../../protocol/message.ts';
import { statusWords } from '../../transports/http/client/missing-response.ts';
import { HEADERS_OF_TEST, type Upstream } from '../../transports/http/upstream/parse-upstream.ts';

/** An HTTP failure in place of an answer. */
export interface HttpFailure {
  /** Error code, listed in docs/errors.md. */
  code: string;
  /** Description of the response, without a full stop. */
  words: string;
  /** Advice for the user. */
  next: string;
  /** HTTP status. Absent: the connection ended without one. */
  status?: number;
  /** JSON body of an HTTP error, which is compared. */
  body?: JsonText;
}

const ANSWER_CUT = 'HTTP_ANSWER_CUT';

/** A message of the client whose POST the server leaves without a response. */
export const NO_RESPONSE: HttpFailure = {
  code: 'HTTP_NO_RESPONSE',
  words: 'no HTTP response',
  next: 'The server has to answer it with 202 Accepted, or refuse it with an HTTP error.',
};

/** Returns the end of a sentence about a notification or response of the client that the server refused. */
export function refusalWords({ code, words }: HttpFailure): string {
  if (code === NO_RESPONSE.code) return `got ${words}: clients wait for one`;
  const how = code === ANSWER_CUT ? 'was not accepted:' : 'was refused with';
  return `${how} ${words}: clients fail to send it`;
}

/** Where the server is named, for advice. */
type GivenServer = Pick<Upstream, 'isOfTest'>;

/** Returns the failure shown by the last frame of an exchange. Undefined: the frame is an answer. */
export function httpFailureOf(frame: Frame, given: GivenServer = {}): HttpFailure | undefined {
  if (frame.kind === 'close') return cut(frame.how ?? 'end');
  if (frame.kind === 'http-response' && typeof frame.status === 'number') {
    const { status, headers = {}, body } = frame;
    const failure = refused({ status, headers, said: typeof body === 'string' ? brief(body) : '' }, given);
    const json = status < 400 || typeof body !== 'string' ? undefined : messageIn(withoutMark(body));
    return json === undefined ? failure : { ...failure, body: json };
  }
  if (frame.kind !== 'message' || frame.status === undefined || frame.status < 400) return undefined;
  const message = frame.json.value;
  const error = isResponse(message) && typeof message.id !== 'string' && typeof message.id !== 'number';
  if (!error) return undefined;
  const { code, message: text } = errorOf(message) ?? {};
  return refused({ status: frame.status, headers: {}, said: `error ${code} ${brief(String(text))}` }, given);
}

interface Said {
  status: number;
  headers: Readonly<Record<string, string>>;
  said: string;
}

function refused({ status, headers, said }: Said, given: GivenServer): HttpFailure {
  const what = statusWords(status);
  const words = said === '' ? what : `${what}: ${said}`;
  if (status < 300) {
    const type = headers['content-type'] ?? 'no content type';
    const coding = headers['content-encoding'];
    if (coding !== undefined) {
      return {
        code: 'HTTP_NOT_MCP',
        words: `HTTP ${status} with ${type} in the encoding ${coding}`,
        next: 'The request accepts no encoding (Accept-Encoding: identity): the server has to send the body as it is, without Content-Encoding.',
        status,
      };
    }
    return {
      code: 'HTTP_NOT_MCP',
      words: `HTTP ${status} with ${type} and no message${said === '' ? '' : `: ${said}`}`,
      next: 'Check the path of the URL: it must be that of the MCP endpoint.',
      status,
    };
  }
  const place = headers.location;
  if (status < 400) {
    const next = 'Give the URL that it names, if that is the server you mean.';
    return { code: 'HTTP_REFUSED', words: place ? `${what} to ${place}` : words, next, status };
  }
  return { ...adviceOn(status, given), words, status };
}

function adviceOn(status: number, { isOfTest }: GivenServer): Pick<HttpFailure, 'code' | 'next'> {
  if (status === 401 || status === 403) {
    const place = isOfTest ? HEADERS_OF_TEST : "--header 'Authorization: Bearer …'";
    const next = `Give the client's credentials, for example ${place}.`;
    return { code: 'HTTP_UNAUTHORIZED', next };
  }
  if (status === 404) {
    const next =
      'Check the path of the URL. If earlier requests passed, the server has lost the session: did it restart?';
    return { code: 'HTTP_NOT_FOUND', next };
  }
  return { code: 'HTTP_REFUSED', next: 'The log of the server should say why it refused this.' };
}

function cut(how: 'end' | 'fin' | 'rst'): HttpFailure {
  const what = { end: 'the answer ended', fin: 'the connection was closed', rst: 'the connection was reset' }[how];
  return {
    code: ANSWER_CUT,
    words: `${what} before there was a message`,
    next: 'The log of the server should say what became of the request.',
  };
}

const BRIEF_LENGTH = 80;

function brief(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return JSON.stringify(line.length > BRIEF_LENGTH ? `${line.slice(0, BRIEF_LENGTH)}…` : line);
}
