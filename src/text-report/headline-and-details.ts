/** Divides the text of a finding into a headline and the lines below it. A list that begins in the first line is a detail. */
export function headlineAndDetails(text: string): { headline: string; details: string[] } {
  const [first = '', ...rest] = text.split('\n');
  const [headline, list] = first.split(/ (?=Closest:$)/);
  return { headline: headline!, details: list === undefined ? rest : [list, ...rest] };
}
