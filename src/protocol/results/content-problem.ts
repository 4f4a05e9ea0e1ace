import { didYouMean } from '../../kernel/did-you-mean.ts';
import { briefJson } from '../json-text.ts';
import { isObject, type Params } from '../message.ts';
import { type MemberKind, memberProblem } from './misspelt-or-missing-member.ts';

type Members = Readonly<Record<string, MemberKind>>;

const MEDIA: Members = { data: 'a string', mimeType: 'a string' };
const PLAIN: Readonly<Record<string, Members>> = { text: { text: 'a string' }, image: MEDIA, audio: MEDIA };

const TYPED: Members = { type: 'a string' };

/** Required members of content blocks by their type (2025-11-25, "ContentBlock"). */
const BLOCKS: Readonly<Record<string, Members>> = {
  ...PLAIN,
  resource_link: { uri: 'a string', name: 'a string' },
  resource: { resource: 'an object' },
};

/** Required members of sampling content blocks by their type (2025-11-25, "SamplingMessageContentBlock"). */
const SAMPLING_BLOCKS: Readonly<Record<string, Members>> = {
  ...PLAIN,
  tool_use: { id: 'a string', name: 'a string', input: 'an object' },
  tool_result: { toolUseId: 'a string', content: 'a list' },
};

/** Returns the problem of a result's content blocks. Undefined: they are valid. */
export function contentProblem(content: readonly unknown[]): string | undefined {
  return firstProblem('content', content, (block) => blockProblem(block, BLOCKS));
}

/** Returns the problem of a prompt's messages. Undefined: they are valid. */
export function messagesProblem(messages: readonly unknown[]): string | undefined {
  return firstProblem('messages', messages, (message) => {
    const problem = roleProblem(message);
    if (problem !== undefined) return problem;
    const wrong = blockProblem((message as { content?: unknown }).content, BLOCKS);
    return wrong && `has a content that ${wrong}`;
  });
}

/** Returns the problem of a resource's contents. Undefined: they are valid. */
export function contentsProblem(contents: readonly unknown[]): string | undefined {
  return firstProblem('contents', contents, resourceProblem);
}

/** Returns the problem of a sampling result (2025-11-25, "CreateMessageResult"). Undefined: the result is valid. */
export function sampledProblem(message: Readonly<Record<string, unknown>>): string | undefined {
  const problem = roleProblem(message) ?? memberProblem(message, { model: 'a string' });
  return problem === undefined ? samplingContentProblem(message) : `it ${problem}`;
}

/** Returns the problem of the messages of a sampling request (2025-11-25, "SamplingMessage"). Undefined: they are valid. */
export function samplingMessagesProblem(messages: readonly unknown[]): string | undefined {
  return firstProblem('messages', messages, (message) => {
    const role = roleProblem(message);
    if (role !== undefined) return role;
    const problem = samplingContentProblem(message as Params);
    return problem && `is wrong: ${problem}`;
  });
}

function samplingContentProblem({ content }: Params): string | undefined {
  if (Array.isArray(content)) return firstProblem('content', content, (block) => blockProblem(block, SAMPLING_BLOCKS));
  const wrong = blockProblem(content, SAMPLING_BLOCKS);
  return wrong && `its content ${wrong}`;
}

function roleProblem(message: unknown): string | undefined {
  if (!isObject(message)) return 'is no object';
  const { role } = message;
  if (role === 'user' || role === 'assistant') return undefined;
  return role === undefined
    ? 'has no role ("user" or "assistant")'
    : `has the role ${briefJson(role)}, which is neither "user" nor "assistant"`;
}

function resourceProblem(contents: unknown): string | undefined {
  if (!isObject(contents)) return 'is no object';
  const problem = memberProblem(contents, { uri: 'a string' });
  if (problem !== undefined) return problem;
  if (typeof contents.blob === 'string' && contents.text === undefined) return undefined;
  return contents.blob === undefined
    ? memberProblem(contents, { text: 'a string' })
    : memberProblem(contents, { blob: 'a string' });
}

function blockProblem(block: unknown, known: Readonly<Record<string, Members>>): string | undefined {
  if (!isObject(block)) return 'is no content block';
  const problem = memberProblem(block, TYPED);
  if (problem !== undefined) return problem;
  const type = String(block.type);
  const required = Object.hasOwn(known, type) ? known[type] : undefined;
  if (required === undefined) {
    const meant = didYouMean(type, Object.keys(known));
    const advice = meant ? `did you mean "${meant}"?` : `there is ${Object.keys(known).join(', ')}`;
    return `has the type "${type}", which content does not have: ${advice}`;
  }
  return memberProblem(block, required) ?? insideProblem(block);
}

function insideProblem({ type, resource, content }: Readonly<Record<string, unknown>>): string | undefined {
  if (type === 'resource') {
    const wrong = resourceProblem(resource);
    return wrong && `has a resource that ${wrong}`;
  }
  const wrong = type === 'tool_result' ? contentProblem(content as unknown[]) : undefined;
  return wrong && `has a ${wrong}`;
}

/** Returns the problem of the first invalid item in a list, with the item's position. Undefined: all items are valid. */
export function firstProblem(
  name: string,
  list: readonly unknown[],
  problemOf: (item: unknown) => string | undefined,
): string | undefined {
  for (let index = 0; index < list.length; index++) {
    const problem = problemOf(list[index]);
    if (problem !== undefined) return `${name}[${index}] ${problem}`;
  }
  return undefined;
}
