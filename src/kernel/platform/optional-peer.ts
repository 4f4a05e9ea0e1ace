import { McpRecordError } from '../errors.ts';

/** Package that a user installs beside this one, for a part that few need. */
export interface OptionalPeer<Module> {
  name: string;
  /** Supported versions, as a range. */
  versions: string;
  load: () => Promise<Module>;
  /** What cannot be done without it, as a sentence without its full stop. */
  what: string;
}

/**
 * Loads an optional peer dependency.
 * @throws McpRecordError PEER_MISSING, with the package to install
 */
export async function loadPeer<Module>({ name, versions, load, what }: OptionalPeer<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new McpRecordError({
      code: 'PEER_MISSING',
      what,
      why: `the package ${name} is not installed here`,
      next: `npm install -D "${name}@${versions}"`,
      cause: error,
    });
  }
}
