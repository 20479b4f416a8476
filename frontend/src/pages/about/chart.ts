/** A function of the company; its name and what it does are messages `about:unit.{id}…`. */
export type Unit =
  | 'board'
  | 'audit-committee'
  | 'internal-audit'
  | 'nomination-committee'
  | 'chief-executive'
  | 'compliance'
  | 'risk'
  | 'dealing'
  | 'operations'
  | 'finance'
  | 'technology'
  | 'products'
  | 'customer-care'
  | 'people';

/** A function with the functions that report to it. */
export interface Branch {
  unit: Unit;
  /** Answers to the board's committees or the board, beside the executive line. */
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
  'chief-executive',
  'dealing',
  'operations',
  'finance',
  'technology',
  'compliance',
  'risk',
  'customer-care',
  'internal-audit',
] as const satisfies readonly Unit[];
