import { type CloseRequest, closestRequests } from '../../match/closest-requests.ts';
import { escapeStep } from '../../match/ignore-rules.ts';
import { type Difference, describeDifference } from '../../match/json-difference.ts';
import { type Identity, REQUEST_STATE } from '../../match/request-identity.ts';
import { isObject, type Params, paramsOf, type RpcError } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { placeholdersIn, variableFor } from '../../redact/replace/placeholder-format.ts';
import { pathPrefixPattern, writtenExpression } from './path-prefix-pattern.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { conflictText, type SecretDifferences } from './secret-bindings.ts';

export const INTERNAL_ERROR = -32603;

/** A nearly matching recorded request, as sent in `error.data.mcpRecord.closest`. */
interface Candidate {
  line: number;
  subject: string;
  used: boolean;
  /** The first differences. `more` counts the others. */
  differences: Difference[];
  more?: number;
}

const DIFFERENCES_MAX = 20;
/** JSON Pointer of a tool or prompt name. Advice never ignores this path: every name would then get the same answer. */
const NAME = '/params/name';
/** JSON Pointer of the arguments. A rule for it would leave nothing of a call to compare. */
const ARGUMENTS = '/params/arguments';
/** Places of values that only the server makes up. Without them, any page or task would get any answer. */
const OF_SERVER: ReadonlySet<string> = new Set(['/params/cursor', REQUEST_STATE, '/params/taskId']);

export interface Miss {
  /** The JSON-RPC error for the live peer. */
  error: RpcError;
  /** Text of the finding, including advice. */
  text: string;
  /** The closest recorded request, if it differs. Test runners show the difference from `actual`. */
  expected?: unknown;
  /** The live request. */
  actual?: unknown;
  /** Rule for the first difference from the closest recorded request: a JSON Pointer, or an expression such as `/^.*\/src\//`. */
  varies?: string;
  /** As {@link Finding.isUsedUp}. */
  isUsedUp?: boolean;
  /** As {@link Finding.mayLackRules}. */
  mayLackRules?: boolean;
}

export interface MissOptions {
  live: Identity;
  /** The params as received. They name the tool, prompt or resource in texts. */
  params: Params | undefined;
  requests: readonly RecordedRequest[];
  file: string;
  /** Whether no recorder wrote the cassette, so that it cannot be recorded again. */
  isHandWritten?: boolean;
  /** Advice for the reader of the finding. Default: to correct the cassette, or to record the session again. */
  advice?: string | undefined;
  /** Reports whether the client got the value of a recorded request from an earlier answer. Absent: none did. */
  isReturned?(recorded: RecordedRequest, place: string): boolean;
  /** The first unused request that differs in the values of its secrets only. */
  withOtherSecrets?: RecordedRequest | undefined;
  /** Returns the differences between the live request and a recorded one, if they differ in secret values only. */
  secretDifferences?(recorded: RecordedRequest): SecretDifferences | undefined;
}

/** Returns the error and the finding for a request without an exact match. */
export function nearMissOf({
  live,
  params,
  requests,
  file,
  isHandWritten = false,
  advice,
  isReturned = () => false,
  ...secrets
}: MissOptions): Miss {
  const { withOtherSecrets, secretDifferences = () => undefined } = secrets;
  const others = withOtherSecrets && secretDifferences(withOtherSecrets);
  const nearest = withSecretDifferences(closestRequests(live, requests), secretDifferences);
  if (others) nearest.unshift({ candidate: withOtherSecrets, differences: others.differences });
  const near = nearest.map((one) => candidateOf(one, params));
  // The identity has secrets replaced, so its members override the received params. Ignored members exist in the
  // received params only.
  const subject = subjectOf(live.method, { ...params, ...live.params });
  const used = others ? [] : near.filter(({ differences }) => differences.length === 0);
  const summary = `Cannot answer ${subject}: ${reason({ method: live.method, near, used, file, others })}`;
  const first = near[0]?.differences[0];
  const folder = pathPrefixPattern(first?.recorded, first?.live);
  const isOfServer = first !== undefined && OF_SERVER.has(first.path);
  const isOtherCall = first?.path === NAME || (folder === undefined && hasOtherMembers(near[0]?.differences ?? []));
  const isOfAnswer = first?.recorded !== undefined && (isOfServer || isReturned(nearest[0]!.candidate, first.path));
  const ignorable = isOtherCall || isOfAnswer || isOfServer ? [] : placesIn(first);
  const [pointer] = ignorable;
  const varies = folder === undefined ? pointer : writtenExpression(folder);
  const isRedacted = first !== undefined && wasRedacted(first);
  const all = folder !== undefined ? [varies] : pointer === undefined ? [] : placesToIgnore(near[0]!, isRedacted);
  const pattern = folder && `--ignore-pattern '${folder.replaceAll("'", "'\\''")}'`;
  const flag = pattern ?? all.map((one) => `--ignore ${one}`).join(' ');
  // The client receives the error, and has no --ignore option.
  const isForked = isForkedSession(requests);
  const next = (rule: string) =>
    adviceFor(varies && rule, {
      advice,
      isHandWritten,
      isForked,
      isRedacted,
      isOther: others !== undefined,
      given: others?.conflict.isGiven && others.conflict.recorded,
      isOfAnswer,
      isWritable: !isOfServer,
      isExtra: first === undefined,
    });
  const data = { mcpRecord: { cassette: file, closest: near, next: next(varies === undefined ? '' : all.join(', ')) } };
  return {
    error: { code: INTERNAL_ERROR, message: `mcp-record: ${summary}`, data },
    text: `${summary}\n  ${next(flag)}`,
    ...(varies !== undefined && { varies }),
    ...(used.length > 0 && { isUsedUp: true }),
    ...(near.some(({ differences }) => differences.some(wasRedacted)) && { mayLackRules: true }),
    ...(others ? comparisonOfSecrets(live, others) : comparison(live, nearest[0])),
  };
}

function wasRedacted({ recorded }: Difference): boolean {
  return typeof recorded === 'string' && recorded.includes('[redacted');
}

/** Returns the places to ignore for a difference. Of arguments that only one side has, these are the members. */
function placesIn(difference: Difference | undefined): string[] {
  if (difference === undefined) return [];
  const { path, recorded, live } = difference;
  const members = recorded === undefined ? live : live === undefined ? recorded : undefined;
  if (path !== ARGUMENTS || !isObject(members)) return [path];
  return Object.keys(members).map((name) => `${path}/${escapeStep(name)}`);
}

/** Returns the places to ignore of all differences, or of all redacted values, so that one more attempt is enough. */
function placesToIgnore({ differences }: Candidate, isRedacted: boolean): string[] {
  return differences.filter((one) => one.path !== NAME && (!isRedacted || wasRedacted(one))).flatMap(placesIn);
}

/** Reports whether each side has members that the other lacks: arguments of another tool, or of a renamed parameter. */
function hasOtherMembers(differences: readonly Difference[]): boolean {
  return (
    differences.some(({ recorded }) => recorded === undefined) && differences.some(({ live }) => live === undefined)
  );
}

/** Adds the differences in secret values to close requests that differ in nothing else. */
function withSecretDifferences(
  nearest: readonly CloseRequest<RecordedRequest>[],
  secretDifferences: (recorded: RecordedRequest) => SecretDifferences | undefined,
): CloseRequest<RecordedRequest>[] {
  return nearest.map((one) => {
    const others = one.differences.length === 0 ? secretDifferences(one.candidate) : undefined;
    return others ? { ...one, differences: others.differences } : one;
  });
}

function comparisonOfSecrets(
  { method }: Identity,
  { recorded, live }: SecretDifferences,
): Pick<Miss, 'expected' | 'actual'> {
  return { expected: { method, ...(recorded as object) }, actual: { method, ...(live as object) } };
}

function comparison(
  { method, params }: Identity,
  near: CloseRequest<RecordedRequest> | undefined,
): Pick<Miss, 'expected' | 'actual'> {
  if (near === undefined || near.differences.length === 0) return {};
  return { expected: { method, params: near.candidate.identity.params }, actual: { method, params } };
}

function candidateOf({ candidate, ...close }: CloseRequest<RecordedRequest>, params: Params = {}): Candidate {
  const { entry, identity, uses } = candidate;
  const differences = [...close.differences, ...refusedArguments(candidate, params)];
  return {
    line: entry.line,
    subject: subjectOf(identity.method, identity.params),
    used: uses > 0,
    differences: differences.slice(0, DIFFERENCES_MAX),
    ...(differences.length > DIFFERENCES_MAX && { more: differences.length - DIFFERENCES_MAX }),
  };
}

/** Returns a difference in the arguments, if the recorded request's pattern rejects them. */
function refusedArguments({ accepts, entry }: RecordedRequest, { arguments: live = {} }: Params): Difference[] {
  if (accepts === undefined || accepts(live)) return [];
  const { arguments: pattern } = entry.match!;
  const recorded = pattern === 'partial' ? paramsOf(entry.message).arguments : pattern;
  return [{ path: ARGUMENTS, recorded, live }];
}

interface ReasonOptions {
  method: string;
  near: readonly Candidate[];
  /** Recorded requests that match, and were used. */
  used: readonly Candidate[];
  file: string;
  /** Secret values in which `near[0]` differs from the live request. Undefined if other parts differ. */
  others: SecretDifferences | undefined;
}

function reason({ method, near, used, file, others }: ReasonOptions): string {
  const [first] = near;
  if (first === undefined) return `${file} has no ${method}.`;
  if (others)
    return `no recorded call matches. Closest:\n    ${describe(first, file)}\n  ${conflictText(others.conflict)}`;
  if (used.length > 0) return `every matching recorded call was already used (${places(used, file)}).`;
  const list = near.map((candidate) => `\n    ${describe(candidate, file)}`);
  return `no recorded call matches. Closest:${list.join('')}`;
}

function places(candidates: readonly Candidate[], file: string): string {
  return candidates.map(({ line }) => `${file}:${line}`).join(', ');
}

const SHOWN_DIFFERENCES = 4;

function describe({ line, subject, used, differences, more: unlisted = 0 }: Candidate, file: string): string {
  const shown = differences.slice(0, SHOWN_DIFFERENCES).map(describeDifference).join(', ');
  const more = differences.length + unlisted - SHOWN_DIFFERENCES;
  const rest = more > 0 ? ` and ${more} more` : '';
  return `${file}:${line} ${subject}${used ? ' (already used)' : ''} differs at ${shown}${rest}`;
}

/**
 * Reports whether `fork` wrote the session, which marks its beginning as optional. Recording the session again would
 * lose that beginning.
 */
function isForkedSession(requests: readonly RecordedRequest[]): boolean {
  const [first] = requests.toSorted((a, b) => a.entry.index - b.entry.index);
  return first?.isOptional === true;
}

function adviceFor(
  rule: string | undefined,
  { isOther, given, isOfAnswer, isExtra, advice, ...session }: Advice,
): string {
  const [secret] = placeholdersIn(given ?? '');
  if (secret)
    return `Have the client send what the answer had. If it knows the real value, replay with --secrets-from-env ${variableFor(secret)}.`;
  const { isHandWritten, isForked, isRedacted, isWritable } = session;
  const mended = isOther
    ? 'In one session, a placeholder stands for one value. Correct the client'
    : isRedacted
      ? 'The recorded value was redacted, and no given rule matches what the client sends. Correct the client, or give the rules that redacted the value, or name their file in the variable MCP_RECORD_REDACT_RULES'
      : (advice ??
        (isHandWritten
          ? 'Write the request into the cassette'
          : isForked
            ? 'Fork the first session again: mcp-record fork -o NEW.yaml FIRST.yaml:LINE -- COMMAND'
            : 'Record the session again'));
  const corrected =
    advice === undefined && !isOther && !isRedacted ? `Correct the client, or ${inSentence(mended)}` : mended;
  if (isOfAnswer) {
    const rest = isOther
      ? 'In one session, a placeholder stands for one value. If the client knows the real one, replay with --secrets-from-env and its name'
      : isRedacted
        ? 'If it sends it, give the rules that redacted it: no given rule matches what the client sends'
        : `Or${isWritable && !isHandWritten ? WRITE_CALL : ''} ${inSentence(mended)}`;
    return `An earlier answer returned the recorded value: have the client send it. ${rest}.`;
  }
  if (rule === undefined) return isExtra ? `${mended}, or remove the extra request from the client.` : `${corrected}.`;
  return `${corrected}. ${IGNORE_ONLY} ${rule}`;
}

/** Words before the rules of advice. A rule for a value that the client gets wrong makes a wrong client pass. */
export const IGNORE_ONLY = 'Ignore only what differs in every run:';

/** Step for a client that goes on where the recorded one ended, as with another item of a list. */
const WRITE_CALL =
  ', if the client is right, write this call and its answer into the cassette (docs/share-a-client-bug.md), or';

function inSentence(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

interface Advice {
  /** Whether an earlier answer returned the recorded value. */
  isOfAnswer: boolean;
  /** Whether a person can write the request into the cassette. The server chooses a cursor. */
  isWritable: boolean;
  /** Whether the recorded value is a placeholder and the live value is not a known secret. */
  isRedacted: boolean;
  /** Whether the placeholder and the live secret are bound to other partners: one placeholder stands for one value. */
  isOther: boolean;
  /** The placeholder that an earlier answer of this session gave the client. */
  given?: string | undefined;
  advice: string | undefined;
  isHandWritten: boolean;
  isForked: boolean;
  /** Whether the request differs from no recorded one: it has none, or all were used. */
  isExtra: boolean;
}
