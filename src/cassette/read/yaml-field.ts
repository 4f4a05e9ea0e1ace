/** One key of an event, or of the header, and its value: what every rung of the reading ladder gives. */
export interface YamlField {
  key: string;
  /** The value as JSON text, number lexemes as they stand in the cassette. */
  json: string;
  /** Where the key begins, in the text it was read from. */
  at: number;
}
