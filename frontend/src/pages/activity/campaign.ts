import type {
  CampaignJson,
  CustomInfoJson,
  GccRuleJson,
  ThemeJson,
} from '~/gen/sahm/activity/v1/campaign_pb';
import type { DrawJson } from '~/gen/sahm/activity/v1/draw_pb';

export type CampaignState = 'notStarted' | 'active' | 'ended';

/** A campaign's state at a time (epoch seconds): active strictly between its start and end. */
export function stateOf({ beginAt = 0, endAt = 0 }: CampaignJson, now: number): CampaignState {
  if (now <= beginAt) return 'notStarted';
  return now < endAt ? 'active' : 'ended';
}

/** The theme with an id, else the first theme. */
export function themeOf({ themes = [] }: CampaignJson, id = ''): ThemeJson | undefined {
  return themes.find((theme) => theme.id === id) ?? themes[0];
}

const TONES = ['green', 'gold', 'blue', 'night'] as const;
export type Tone = (typeof TONES)[number];

/** A theme's tone; night for unknown tones. */
export function toneOf(theme: ThemeJson | undefined): Tone {
  return TONES.find((tone) => tone === theme?.tone) ?? 'night';
}

/** The key figure of a campaign's page: the prize of a draw, else the value of a free share. */
export function headlineOf(
  { hasDraws }: CampaignJson,
  { weeklyPrize = '', shareValueMin = '' }: CustomInfoJson,
): { kind: 'prize' | 'share'; amount: string } | undefined {
  if (hasDraws && weeklyPrize) return { kind: 'prize', amount: weeklyPrize };
  return shareValueMin ? { kind: 'share', amount: shareValueMin } : undefined;
}

/** The number of winning tickets of a campaign that has ended, once all of its draws are drawn. */
export function winsOf(state: CampaignState, draws: readonly DrawJson[]): number | undefined {
  const isComplete = draws.length > 0 && draws.every((draw) => draw.state === 'revealed');
  if (state !== 'ended' || !isComplete) return undefined;
  return draws.reduce((count, { wins = [] }) => count + wins.length, 0);
}

/** The week of a weekly draw by its id: 3 for `2026-week-3`; undefined for other ids. */
export function weekOf(drawId: string): number | undefined {
  const [, week] = /^\d{4}-week-(\d{1,2})$/.exec(drawId) ?? [];
  return week ? Number(week) : undefined;
}

/** Groups countries with the same rules, in the order of the first of each group. */
export function byRule(rules: readonly GccRuleJson[]): GccRuleJson[][] {
  return [...Map.groupBy(rules, ({ text }) => text).values()];
}

/** The drawings of occasions, in triangles, by the campaign's kind. */
const DRAWINGS: Readonly<Record<string, readonly string[]>> = {
  // The crescent.
  eidAlAdha: [
    '...####..',
    '..###....',
    '.###.....',
    '.##......',
    '.###....#',
    '..######.',
    '...####..',
  ],
  // The palm tree of the emblem.
  nationalDay: [
    '..##...##..',
    '.####.####.',
    '#..#####..#',
    '.##..#..##.',
    '.#...#...#.',
    '.....#.....',
    '....###....',
  ],
};

/** The drawing of a campaign's occasion; undefined for a campaign without one. */
export function drawingOf(kind = ''): readonly string[] | undefined {
  return DRAWINGS[kind];
}
