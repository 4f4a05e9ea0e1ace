import { type Copy, type Dockerfile, DockerfileParser, type From, type Instruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';

/** An instruction of a Dockerfile, with the words after its keyword and its flags. */
export interface Step {
  keyword: string;
  words: string[];
  /** All that stands after the keyword. */
  text: string;
  line: number;
  /** Of COPY: the stage that it copies from. Absent: the build context. */
  from?: string;
  /** Of FROM: the name of the stage. */
  stage?: string;
}

/** Returns the instructions of a Dockerfile, in order. */
export function stepsOf(text: string): Step[] {
  const file: Dockerfile = DockerfileParser.parse(text);
  return file.getInstructions().map(stepOf);
}

function stepOf(instruction: Instruction): Step {
  const keyword = instruction.getKeyword();
  const from = keyword === 'COPY' ? (instruction as Copy).getFromFlag()?.getValue() : undefined;
  const stage = keyword === 'FROM' ? (instruction as From).getBuildStage() : null;
  const words = instruction.getArguments().map((one) => one.getValue());
  return {
    keyword,
    words: words.filter((word) => !word.startsWith('--')),
    text: instruction.getArgumentsContent() ?? '',
    line: instruction.getRange().start.line + 1,
    ...(from != null && { from }),
    ...(stage != null && { stage }),
  };
}

/** Returns the files of a folder that `.dockerignore` leaves to the build context. It knows `*`, names with `*`, and `!`. */
export function contextOf(files: readonly string[], ignored: string): string[] {
  const rules = ignored.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return files.filter((file) => {
    let isIgnored = false;
    for (const rule of rules) {
      const isException = rule.startsWith('!');
      if (matcherOf(rule.replace('!', '')).test(file)) isIgnored = !isException;
    }
    return !isIgnored;
  });
}

/** Returns the files of the build context that a source of COPY names. */
export function matching(source: string, context: readonly string[]): string[] {
  return context.filter((file) => matcherOf(source).test(file));
}

/** A pattern of Go's `filepath.Match`, of which only `*` is known here. */
function matcherOf(pattern: string): RegExp {
  if (/[?[\]\\]|\*\*/.test(pattern)) throw new Error(`this pattern is not known here: ${pattern}`);
  const source = pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  return new RegExp(`^${source}$`);
}

/** Returns what is wrong with a Dockerfile: the errors and warnings of its validator, and what an image of a command line must have. */
export function problemsOf(text: string, context: readonly string[]): string[] {
  const found = validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);
  const steps = stepsOf(text);
  const stages = steps.flatMap(({ stage }) => stage ?? []);
  for (const { keyword, words, line, from } of steps) {
    const say = (problem: string) => found.push(`line ${line}: ${problem}`);
    const [image = ''] = words;
    if (keyword === 'FROM' && !stages.includes(image) && !/^node:\d+\.\d+\.\d+-(?:[a-z]+-)?slim$/.test(image))
      say(`${image} is no slim image of Node with a whole version`);
    if (keyword === 'COPY' && from !== undefined && !stages.includes(from)) say(`there is no stage ${from}`);
    if (keyword === 'COPY' && from === undefined) {
      const sources = words.slice(0, -1).map((source) => ({ source, files: matching(source, context) }));
      for (const { source, files } of sources)
        if (files.length === 0) say(`COPY names ${source}, which is not in the build context`);
    }
    if (keyword === 'ENTRYPOINT' && !/^\s*\[/.test(steps.find((one) => one.line === line)!.text))
      say('a shell would be the first process, and would not pass on signals');
  }
  const lastStage = steps.slice(steps.findLastIndex(({ keyword }) => keyword === 'FROM'));
  const user = lastStage.findLast(({ keyword }) => keyword === 'USER')?.words[0];
  if (user === undefined || /^(?:root|0)(?::|$)/.test(user)) found.push('the image runs as root');
  return found;
}
