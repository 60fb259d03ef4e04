import { isIP } from 'node:net';
import { resolve, sep } from 'node:path';
import { ConfigurationError } from '@minne/core';

/** The model that the agent talks with. */
export type ModelSettings =
  | { readonly kind: 'demonstration' }
  | {
      readonly kind: 'openai';
      readonly apiKey: string;
      /** Of any OpenAI-compatible server, without a slash at the end. */
      readonly baseUrl: string;
      readonly modelId: string;
    };

/** What the playground is told by its environment. */
export interface Settings {
  /** The address to listen on. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Absolute path of the folder that keeps everything. */
  readonly dataDirectory: string;
  /** Absent: the one kept in the data folder. */
  readonly adminToken?: string;
  readonly model: ModelSettings;
  /** What was set and has no effect. */
  readonly warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings. An empty variable counts as unset. @throws ConfigurationError that names the variable. */
export function readSettings(environment: Environment, workingDirectory: string): Settings {
  const read = (name: string) => environment[name]?.trim() || undefined;
  const host = readHost(read('HOST'));
  const adminToken = readAdminToken(read('MINNE_ADMIN_TOKEN'));
  if (!isLoopback(host) && adminToken === undefined) {
    throw wrong(
      'HOST',
      `is ${host}, which other machines can reach. Set MINNE_ADMIN_TOKEN as well, or leave HOST unset to listen on this machine only.`,
    );
  }
  const model = readModel(read('OPENAI_API_KEY'), read('OPENAI_BASE_URL'), read('OPENAI_MODEL'));
  return {
    host,
    port: readPort(read('PORT')),
    dataDirectory: readDataDirectory(read('MINNE_DATA_DIR'), read('INIT_CWD') ?? workingDirectory),
    ...(adminToken === undefined ? {} : { adminToken }),
    model,
    warnings:
      model.kind === 'demonstration' && read('OPENAI_BASE_URL') !== undefined
        ? [
            'OPENAI_BASE_URL counts only together with OPENAI_API_KEY. For a server that needs no key, set the key to any word.',
          ]
        : [],
  };
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function readPort(value = '8787'): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65535) {
    throw wrong('PORT', `is "${value}". Give a whole number from 0 to 65535; 0 takes a free port.`);
  }
  return port;
}

const hostName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

function readHost(value = '127.0.0.1'): string {
  const host = value.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const looksLikeIpv4 = /^[\d.]+$/.test(host);
  if (isIP(host) === 0 && (looksLikeIpv4 || !hostName.test(host))) {
    throw wrong('HOST', `is "${value}". Give a host name or an IP address, without a port.`);
  }
  return host;
}

function readAdminToken(value: string | undefined): string | undefined {
  // The characters that RFC 6750 allows in a bearer token.
  if (value !== undefined && !/^[A-Za-z0-9._~+/-]+=*$/.test(value)) {
    throw wrong(
      'MINNE_ADMIN_TOKEN',
      'holds characters that a bearer token must not have. Use letters, digits and "._~+/-".',
    );
  }
  return value;
}

function readDataDirectory(value: string | undefined, startedFrom: string): string {
  const directory = resolve(startedFrom, value ?? '.minne');
  if (directory.includes('\0')) {
    throw wrong('MINNE_DATA_DIR', 'holds the character U+0000. Give the path of a folder.');
  }
  if (directory.split(sep).includes('node_modules')) {
    throw wrong(
      'MINNE_DATA_DIR',
      `leads to ${directory}, where the next installation would delete the data. Give a folder outside node_modules.`,
    );
  }
  return directory;
}

function readModel(
  apiKey: string | undefined,
  baseUrl = 'https://api.openai.com/v1',
  modelId = 'gpt-4.1-mini',
): ModelSettings {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw wrong(
      'OPENAI_BASE_URL',
      `is "${baseUrl}". Give an address that begins with http:// or https://, such as http://127.0.0.1:11434/v1.`,
    );
  }
  if (apiKey === undefined) return { kind: 'demonstration' };
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw wrong('OPENAI_API_KEY', 'holds characters that no key has. Copy the key again.');
  }
  return { kind: 'openai', apiKey, baseUrl: baseUrl.replace(/\/+$/, ''), modelId };
}

function wrong(variable: string, problem: string): ConfigurationError {
  return new ConfigurationError(`${variable} ${problem}`, {
    packageName: '@minne/playground',
    field: variable,
  });
}
