import { describe, expect, it } from 'vitest';
import { isLoopback, readSettings } from '../src/settings.js';

const read = (environment: Record<string, string> = {}) => readSettings(environment, '/home/ada');

describe('settings', () => {
  it('have defaults for everything', () => {
    expect(read()).toEqual({
      host: '127.0.0.1',
      port: 8787,
      dataDirectory: '/home/ada/.minne',
      model: { kind: 'demonstration' },
      warnings: [],
    });
  });

  it('count an empty variable as unset', () => {
    const names = ['PORT', 'HOST', 'MINNE_DATA_DIR', 'MINNE_ADMIN_TOKEN', 'INIT_CWD'];
    const models = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'];
    const empty = Object.fromEntries([...names, ...models].map((name) => [name, '']));
    expect(read(empty)).toEqual(read());
  });

  it('keep the data where npm start was run, not where the program lies', () => {
    const settings = readSettings({ INIT_CWD: '/home/ada/trip' }, '/repository');
    expect(settings.dataDirectory).toBe('/home/ada/trip/.minne');
    expect(
      readSettings({ INIT_CWD: '/home/ada', MINNE_DATA_DIR: 'notes' }, '/repository'),
    ).toMatchObject({ dataDirectory: '/home/ada/notes' });
    expect(read({ MINNE_DATA_DIR: '/var/minne' }).dataDirectory).toBe('/var/minne');
  });

  it.each([
    [{ MINNE_DATA_DIR: 'node_modules/.minne' }],
    [{ INIT_CWD: '/home/ada/node_modules/@minne/playground' }],
  ])('keep no data inside node_modules: %o', (environment) => {
    expect(() => read(environment)).toThrow(/^MINNE_DATA_DIR .*node_modules/);
  });

  it.each(['0', '80', '65535'])('take the port %s', (port) => {
    expect(read({ PORT: port }).port).toBe(Number(port));
  });

  it.each(['65536', '-1', '8787.5', '0x50', 'http', '1e3', '99999999999'])(
    'refuse the port %s and name the variable',
    (port) => {
      expect(() => read({ PORT: port })).toThrow(/^PORT is /);
    },
  );

  it.each(['0.0.0.0', '::', '192.168.1.5', 'minne.example'])(
    'let other machines in at %s only with a token that was chosen',
    (host) => {
      expect(() => read({ HOST: host })).toThrow(/^HOST is .*MINNE_ADMIN_TOKEN/);
      const settings = read({ HOST: host, MINNE_ADMIN_TOKEN: 'a-long-secret' });
      expect(settings).toMatchObject({ host, adminToken: 'a-long-secret' });
    },
  );

  it.each([
    ['localhost', 'localhost'],
    ['LOCALHOST', 'localhost'],
    ['127.0.0.53', '127.0.0.53'],
    ['[::1]', '::1'],
    ['::1', '::1'],
  ])('know that %s is this machine only', (given, host) => {
    expect(read({ HOST: given }).host).toBe(host);
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['127.0.0.1:80', 'http://localhost', 'two words', '1.2.3', '-x', '300.1.1.1'])(
    'refuse the host %s and name the variable',
    (host) => {
      expect(() => read({ HOST: host, MINNE_ADMIN_TOKEN: 'x' })).toThrow(/^HOST is /);
    },
  );

  it('do not take 127.0.0.1.example for this machine', () => {
    expect(() => read({ HOST: '127.0.0.1.example' })).toThrow(/MINNE_ADMIN_TOKEN/);
  });

  it.each(['two words', 'naïve', 'a"b', 'a\nb'])('refuse the admin token %j', (token) => {
    expect(() => read({ MINNE_ADMIN_TOKEN: token })).toThrow(/^MINNE_ADMIN_TOKEN /);
  });

  it('never repeat a token or a key in an error', () => {
    expect(() => read({ MINNE_ADMIN_TOKEN: 'hush "hush"' })).not.toThrow(/hush/);
    expect(() => read({ OPENAI_API_KEY: 'sk secret' })).not.toThrow(/sk secret/);
  });

  it('talk with a model of OpenAI when there is a key', () => {
    expect(read({ OPENAI_API_KEY: 'sk-1' }).model).toEqual({
      kind: 'openai',
      apiKey: 'sk-1',
      baseUrl: 'https://api.openai.com/v1',
      modelId: 'gpt-4.1-mini',
    });
  });

  it('talk with any server that speaks the same language', () => {
    const model = read({
      OPENAI_API_KEY: 'any',
      OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/',
      OPENAI_MODEL: 'qwen3',
    }).model;
    expect(model).toMatchObject({ baseUrl: 'http://127.0.0.1:11434/v1', modelId: 'qwen3' });
  });

  it.each(['localhost:11434', 'ftp://x', 'not an address'])('refuse the base URL %s', (url) => {
    expect(() => read({ OPENAI_BASE_URL: url })).toThrow(/^OPENAI_BASE_URL is /);
  });

  it('say that an address without a key has no effect', () => {
    const settings = read({ OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' });
    expect(settings.model.kind).toBe('demonstration');
    expect(settings.warnings).toEqual([expect.stringContaining('OPENAI_API_KEY')]);
  });

  it('refuse a key with characters that a header cannot carry', () => {
    expect(() => read({ OPENAI_API_KEY: 'sk-“1”' })).toThrow(/^OPENAI_API_KEY /);
  });
});
