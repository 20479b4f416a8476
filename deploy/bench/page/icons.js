/** The page's icons: path data in a 24 × 24 box, `stroke` drawn, `fill` filled, `flip` mirrored in Arabic. */
export const ICONS = {
  'arrow-forward': { stroke: 'M4 12h15M13 6l6 6-6 6', flip: true },
  'arrow-up': { stroke: 'M12 20V5M6 11l6-6 6 6' },
  'chevron-down': { stroke: 'M6 9.5l6 6 6-6' },
  close: { stroke: 'M6 6l12 12M18 6L6 18' },
  menu: { stroke: 'M3.5 7.5h17M3.5 16.5h11', flip: true },
  download: { stroke: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15' },
  globe: {
    stroke:
      'M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM3.5 12h17M12 3.5c2.6 2.4 3.7 5.2 3.7 8.5 0 3.3-1.1 6.1-3.7 8.5-2.6-2.4-3.7-5.2-3.7-8.5 0-3.3 1.1-6.1 3.7-8.5z',
  },
  external: { stroke: 'M9 5H5v14h14v-4M13 5h6v6M19 5l-8.5 8.5', flip: true },
  chat: {
    stroke: 'M4 5.5h16v11H11l-4.5 3.5v-3.5H4zM8.5 9.5h7M8.5 12.7h4.5',
    flip: true,
  },
  phone: {
    stroke:
      'M5 4.5h3.5l1.7 4.3-2.2 1.7a12 12 0 005.5 5.5l1.7-2.2 4.3 1.7V19a1.5 1.5 0 01-1.6 1.5A15.5 15.5 0 013.5 6.1 1.5 1.5 0 015 4.5z',
    flip: true,
  },
  mail: { stroke: 'M3.5 6h17v12.5h-17zM4 6.7l8 6.3 8-6.3' },
  whatsapp: {
    stroke:
      'M4.2 19.8l1.1-3.9A8.2 8.2 0 1112 20.2a8.2 8.2 0 01-3.8-.9zM9 8.7c-.6 2.7 3.2 6.6 6 6.2l.9-1.6-2-1-1 .9c-1-.5-1.7-1.2-2.2-2.2l.9-1-1-2z',
  },
  pin: {
    stroke:
      'M12 21c4.3-4.6 6.5-8.1 6.5-10.9a6.5 6.5 0 10-13 0C5.5 12.9 7.7 16.4 12 21zM12 12.2a2.2 2.2 0 100-4.4 2.2 2.2 0 000 4.4z',
  },
  facebook: {
    stroke: 'M14.5 21v-7.5h3l.5-3.5h-3.5V8c0-1.2.6-2 2-2h1.5V3.2c-4.5-.7-7 .8-7 4.3V10H8v3.5h3V21',
  },
  x: { stroke: 'M5 4.5l14 15M19 4.5l-14 15' },
  instagram: {
    stroke:
      'M8 4h8a4 4 0 014 4v8a4 4 0 01-4 4H8a4 4 0 01-4-4V8a4 4 0 014-4zM12 8.5a3.5 3.5 0 100 7 3.5 3.5 0 000-7zM16.6 7.4h.01',
  },
  linkedin: { stroke: 'M6 10v9M6 5.5v.01M11 19v-9M11 14c0-2.5 1.5-4 3.7-4S18 11.5 18 14v5' },
  youtube: {
    stroke: 'M6 6h12a3 3 0 013 3v6a3 3 0 01-3 3H6a3 3 0 01-3-3V9a3 3 0 013-3z',
    fill: 'M10.3 9.3v5.4l4.7-2.7z',
  },
  tiktok: { stroke: 'M13 4v10.8a3.4 3.4 0 11-3.4-3.4M13 4c.3 3 2.3 4.9 5.2 5' },
};
