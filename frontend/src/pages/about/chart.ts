import type { PlainKey } from '~/lib/messages/messages';

type UnitOf<Key> = Key extends `unit.${infer Id}` ? Id : never;

/** A function of the company, by the id in its message `about:unit.{id}`. */
export type Unit = UnitOf<PlainKey<'about'>>;

/** A function with the functions that report to it. */
export interface Branch {
  unit: Unit;
  /** Reports to the board or one of its committees, outside the executive line. */
  control?: true;
  below?: readonly Branch[];
}

/** The reporting lines: control functions are separate from the functions they control. */
export const CHART: Branch = {
  unit: 'board',
  below: [
    { unit: 'audit-committee', control: true, below: [{ unit: 'internal-audit', control: true }] },
    {
      unit: 'chief-executive',
      below: [
        { unit: 'dealing' },
        { unit: 'operations' },
        { unit: 'finance' },
        { unit: 'technology' },
        { unit: 'products' },
        { unit: 'customer-care' },
        { unit: 'people' },
      ],
    },
    { unit: 'compliance', control: true },
    { unit: 'risk', control: true },
    { unit: 'nomination-committee', control: true },
  ],
};

/** The roles of the management team, in the order in which they are shown. */
export const TEAM = [
  'board',
  'chief-executive',
  'finance',
  'operations',
  'technology',
  'risk',
  'compliance',
  'internal-audit',
  'dealing',
  'customer-care',
] as const satisfies readonly Unit[];
