import type { FileProblem } from '../../data/viewer/viewer-messages.ts';

/** Files among what was dropped, and why the rest is none. */
export function droppedFiles({ items }: Pick<DataTransfer, 'items'>): { files: File[]; problems: FileProblem[] } {
  const files: File[] = [];
  const problems: FileProblem[] = [];
  for (const item of items) {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    if (file === null) continue;
    if (item.webkitGetAsEntry()?.isDirectory) problems.push(isFolder(file.name));
    else files.push(file);
  }
  return { files, problems };
}

function isFolder(name: string): FileProblem {
  return {
    code: 'CASSETTE_IS_DIRECTORY',
    what: `Cannot read cassette ${name}`,
    why: 'it is a directory',
    next: 'Open the folder, and drop the cassettes in it. To look through a folder: mcp-record ui FOLDER',
  };
}
