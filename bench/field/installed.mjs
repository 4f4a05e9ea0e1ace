import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the installed packages. */
const FIELD = process.env.FIELD ?? join(tmpdir(), 'mcp-record-field');

/** Returns the folder of a subject's packages, such as `clients/ai-sdk`. */
export const folderOf = (subject) => join(FIELD, ...subject.split('/'));

/** Imports a module as seen from the folder of a subject. */
export async function load(subject, specifier) {
  const { importHere } = await import(pathToFileURL(join(folderOf(subject), 'import-here.mjs')).href);
  return await importHere(specifier);
}
