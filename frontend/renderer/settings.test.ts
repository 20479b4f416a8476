import { describe, expect, test } from 'vitest';
import { readSettings, SettingsError } from './settings';
import { NAMES } from './settings-names';

describe('settings of the renderer', () => {
  test('are the defaults of all processes', () => {
    const defaults = { inDev: true, host: '127.0.0.1', port: 7010, watchStdin: false };
    expect(readSettings({})).toEqual(defaults);
    expect(readSettings({ SAHM_ENV: '', SAHM_RENDERER_LISTEN: ' ' })).toEqual(defaults);
  });

  test.each([
    ['127.0.0.1:0', '127.0.0.1', 0],
    ['0.0.0.0:7010', '0.0.0.0', 7010],
    ['[::1]:65535', '::1', 65_535],
  ])('listens at %s', (address, host, port) => {
    expect(readSettings({ SAHM_RENDERER_LISTEN: address })).toMatchObject({ host, port });
  });

  test('of other processes and of others are passed over', () => {
    const others = Object.fromEntries(NAMES.map((name) => [name, '']));
    expect(readSettings({ ...others, SAHM_ENV: 'prod', PATH: '/bin' }).inDev).toBe(false);
    expect(NAMES).toContain('SAHM_SESSION_KEYS');
  });

  test.each([
    ['SAHM_LISTNE', '127.0.0.1:1'],
    ['SAHM_', 'x'],
    ['SAHM_ENV', 'production'],
    ['SAHM_ENV', 'Dev'],
    ['SAHM_RENDERER_LISTEN', 'nowhere'],
    ['SAHM_RENDERER_LISTEN', ':7010'],
    ['SAHM_RENDERER_LISTEN', '127.0.0.1:65536'],
    ['SAHM_RENDERER_LISTEN', '127.0.0.1:1e3'],
    ['SAHM_RENDERER_LISTEN', '7010'],
  ])('%s=%s is one line that names it', (name, value) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(new RegExp(`^${name}: [^\n]+$`));
  });
});
