/** Method of the list that defines an item, by the method that uses the item. */
const LIST_OF: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'tools/list'],
  ['prompts/get', 'prompts/list'],
  ['resources/read', 'resources/list'],
]);

export interface MissingListsOptions {
  /** Name of the cassette. */
  file: string;
  /** Methods of the requests in the cassette. */
  asked: ReadonlySet<string>;
  /** Methods whose definitions matter. */
  used: ReadonlySet<string>;
}

/** Returns a note for each list that a cassette lacks: a change of it cannot be known. */
export function missingListNotes({ file, asked, used }: MissingListsOptions): string[] {
  return [...LIST_OF]
    .filter(([method, list]) => used.has(method) && !asked.has(list))
    .map(
      ([method, list]) =>
        `${file} has no ${list}: whether a definition that ${method} needs has changed or is gone is not known. Another cassette does not count: record ${list} and ${method} in one session.`,
    );
}
