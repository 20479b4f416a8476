export default {
  compatibilityDate: '2026-11-01',
  telemetry: false,
  devtools: { enabled: false },
  // A stored page holds its data too, as the others do.
  experimental: { payloadExtraction: false },
  routeRules: {
    // Made at the first request, then served from Nitro's own cache.
    '/stored/**': { swr: 3600 },
  },
  app: {
    head: {
      htmlAttrs: { lang: 'en-US', dir: 'ltr' },
      title: 'News | Sahm',
      meta: [
        { name: 'description', content: 'News on the US and Saudi markets from the Sahm newsroom' },
      ],
    },
  },
};
