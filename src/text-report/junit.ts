import { changeLines } from './change-lines.ts';
import { differenceText } from './difference-text.ts';
import { countOf, type Outcome, type Step } from './outcome-model.ts';

/** Formats an outcome as JUnit XML, for CI systems. */
export function junitXml(outcome: Outcome): string {
  const { title, file, steps, duration } = outcome;
  const name = attribute(`${title} ${file}`);
  const [failures, errors, skipped] = (['failed', 'error', 'skipped'] as const).map((status) =>
    countOf(outcome, status),
  );
  const counts = `tests="${steps.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name=${name} ${counts} time="${seconds(duration)}">`,
    ...propertyLines(outcome),
    ...steps.map((step) => testCase(step, file)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function propertyLines({ properties = {} }: Outcome): string[] {
  const lines = Object.entries(properties).map(
    ([name, value]) => `      <property name=${attribute(name)} value="${value}"/>`,
  );
  return lines.length === 0 ? [] : ['    <properties>', ...lines, '    </properties>'];
}

function testCase(step: Step, file: string): string {
  const { title, line, duration = 0, status, headline = '' } = step;
  // CI systems identify cases by name, and a session may repeat a call.
  const name = attribute(line === undefined ? title : `${title} (line ${line})`);
  const open = `    <testcase classname=${attribute(step.file ?? file)} name=${name} time="${seconds(duration)}"`;
  if (status === 'passed') return passedCase(open, step);
  const message = attribute(headline);
  if (status === 'skipped') return `${open}><skipped message=${message}/></testcase>`;
  if (status === 'error') {
    const text = escaped([headline, ...body(step)].join('\n'));
    return `${open}><error type=${attribute(step.rule?.id ?? 'error')} message=${message}>${text}</error></testcase>`;
  }
  return `${open}><failure message=${message}>${escaped(body(step).join('\n'))}</failure></testcase>`;
}

/** Returns a passed case. JUnit has no notes, so that its details are its output. */
function passedCase(open: string, { details = [] }: Step): string {
  if (details.length === 0) return `${open}/>`;
  return `${open}><system-out>${escaped(details.join('\n'))}</system-out></testcase>`;
}

function body({ recorded, live, sides, details = [], changes = [] }: Step): string[] {
  const hasDifference = recorded !== undefined || live !== undefined;
  return [...details, ...changeLines(changes), ...(hasDifference ? differenceText(recorded, live, sides) : [])];
}

function seconds(duration: number): string {
  return (duration / 1_000).toFixed(3);
}

function attribute(text: string): string {
  return `"${escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`;
}

/** Characters that XML 1.0 cannot represent: most control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must go
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu;

/** Characters that would steer a terminal which shows the file, or that parsers of XML replace. */
const STEERING = /[\r\u007f-\u009f\u2028\u2029]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

function escaped(text: string): string {
  const plain = text
    .replace(NOT_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return plain.replace(STEERING, (char) => `&#${char.codePointAt(0)};`);
}
