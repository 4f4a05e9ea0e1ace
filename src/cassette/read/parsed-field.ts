/** A key of an event or header with its value. All readers return this form. */
export interface ParsedField {
  key: string;
  /** The value as JSON text, number lexemes as they stand in the cassette. */
  json: string;
  /** Offset of the key in its source text. */
  at: number;
}
