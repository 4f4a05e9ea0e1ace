import type { WrittenFaults } from '../../faults/rules/parse-fault-rules.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { BodyObject } from './body-object.ts';
import { BodyError, type Path } from './control-errors.ts';
import type { ControlledServer } from './controlled-server-types.ts';

/**
 * Parses `{ faults: [...], seed? }`. A fault is a rule as in a fault file, or a string as after `--fault`.
 * @throws BodyError CONTROL_BAD_VALUE, CONTROL_UNKNOWN_KEY, FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
 */
export async function parseFaultBody(
  body: unknown,
  { transport, usesMethod }: Pick<ControlledServer, 'transport' | 'usesMethod'>,
): Promise<WrittenFaults> {
  const fields = new BodyObject({ value: body, path: [] }, ['faults', 'seed']);
  const seed = fields.whole('seed');
  // Imported dynamically: a static import would put the table of faults into the chunk that all commands load.
  const [{ parseFaultRules, parseShortRule }, { checkNoticeable }] = await Promise.all([
    import('../../faults/rules/parse-fault-rules.ts'),
    import('../../faults/rules/check-noticeable.ts'),
  ]);
  const rules = fields.list('faults').map(({ value, path }) => {
    let inside: Path = [];
    const placeOf = ([, , ...steps]: Path) => {
      inside = steps;
      return undefined;
    };
    try {
      const rule =
        typeof value === 'string'
          ? parseShortRule(value, transport, { usesMethod })
          : parseFaultRules({ faults: [value] }, { name: 'the body', transport, usesMethod, placeOf }).rules[0]!;
      checkNoticeable([rule], { tested: 'client', name: 'the body' });
      return rule;
    } catch (error) {
      if (!(error instanceof McpRecordError)) throw error;
      throw new BodyError([...path, ...inside], error.problem);
    }
  });
  return { rules, ...(seed !== undefined && { seed }) };
}
