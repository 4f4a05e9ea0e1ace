/** Files of public projects that hold no secret, but many names of secrets. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const KINDS = /\.(?:c|h|js|ts|java|kt|py|rst|md|adoc|xml|gradle|ya?ml|toml|json)$/;
/** Tests and samples may hold keys that were made for them. */
const OTHERS =
  /(?:^|[\\/])(?:\.git|tests?|test[-_]?\w*|it|its|fixtures?|samples?|examples?|node_modules)[\\/]|[Tt]ests?\.\w+$|lock/;
const BYTES_MAX = 100_000;

/** `{ kind, text }` of files of a clone, so many, spread over all of it. */
export function sourceFiles(folder, name, count) {
  const all = readdirSync(folder, { recursive: true })
    .filter((path) => KINDS.test(path) && !OTHERS.test(path))
    .toSorted()
    .filter((path) => {
      const status = statSync(join(folder, path));
      return status.isFile() && status.size <= BYTES_MAX;
    });
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => {
    const path = all[Math.floor(i * step)];
    return { kind: `${name}/${path}`, text: readFileSync(join(folder, path), 'utf8') };
  });
}
