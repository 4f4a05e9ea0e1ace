/** One key of an event, or of the header, and its value: what every rung of the reading ladder gives. */
export interface Field {
  key: string;
  /** The value as JSON text, number lexemes as they stand on the tape. */
  json: string;
  /** Where the key begins, in the text it was read from. */
  at: number;
}
