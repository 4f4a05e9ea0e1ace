/** Key and value of an event or header, as returned by all readers. */
export interface YamlField {
  key: string;
  /** Value as JSON text, with the number lexemes of the cassette. */
  json: string;
  /** Offset of the key in its source text. */
  at: number;
}
