import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { contextOf, matching, type Step } from './dockerfile.ts';

/** What a Dockerfile made of a folder that stands for the root of the image. */
export interface CarriedOut {
  /** The folder of the last stage. */
  root: string;
  /** Environment of the entry point. Its paths are below `root`. */
  env: Record<string, string>;
  entryPoint: string[];
  /** Working directory below `root`. */
  workdir: string;
  user: string | undefined;
  /** Steps that cannot be carried out without Docker. */
  left: string[];
}

export interface CarryOutOptions {
  /** Folder of the build context. */
  context: string;
  files: readonly string[];
  ignored: string;
  /** Empty folder, which gets one for each stage. */
  folder: string;
}

interface Stage extends Omit<CarriedOut, 'left'> {}

/**
 * Carries out the steps of a Dockerfile in folders. Absolute paths of RUN and ENV are those of the image, and so below the folder of
 * their stage. Programs are those of this machine: its Node stands for that of the base image.
 */
export function carryOut(steps: readonly Step[], { context, files, ignored, folder }: CarryOutOptions): CarriedOut {
  const left: string[] = [];
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  const known = contextOf(files, ignored);
  for (const { keyword, words, text, from, line, stage: name } of steps) {
    if (keyword === 'FROM') {
      const root = join(folder, String(stages.size));
      mkdirSync(root);
      stage = { root, env: {}, entryPoint: [], workdir: root, user: undefined };
      stages.set(name ?? '', stage);
      left.push(`FROM ${words[0]}`);
      continue;
    }
    if (stage === undefined) throw new Error(`line ${line}: no FROM stands before it`);
    const { root } = stage;
    const below = (path: string) => path.replaceAll(/(^|[\s=:])\/(?=\w)/g, `$1${root}/`);
    if (keyword === 'COPY') {
      const to = join(root, words.at(-1)!);
      for (const source of words.slice(0, -1)) {
        const found = from === undefined ? matching(source, known) : [source];
        if (found.length !== 1) throw new Error(`line ${line}: COPY ${source} finds ${found.length} files`);
        cpSync(join(from === undefined ? context : stages.get(from)!.root, found[0]!), to, {
          recursive: true,
          verbatimSymlinks: true,
        });
      }
    } else if (keyword === 'RUN') {
      execFileSync('sh', ['-c', below(text)], {
        cwd: stage.workdir,
        env: { ...process.env, ...stage.env },
        stdio: 'pipe',
      });
    } else if (keyword === 'ENV') {
      const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? [];
      const before = { ...process.env, ...stage.env };
      stage.env[key] = below(value).replaceAll(/\$(\w+)/g, (_, other: string) => before[other] ?? '');
      if (key !== 'PATH') mkdirSync(stage.env[key]!, { recursive: true });
    } else if (keyword === 'WORKDIR') {
      stage.workdir = join(root, words[0]!);
      mkdirSync(stage.workdir, { recursive: true });
    } else if (keyword === 'USER') stage.user = words[0];
    else if (keyword === 'ENTRYPOINT') stage.entryPoint = JSON.parse(text);
    else throw new Error(`line ${line}: ${keyword} is not known here`);
  }
  if (stage === undefined) throw new Error('there is no stage');
  return { ...stage, left };
}
