import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import { Tiktoken } from 'js-tiktoken/lite';
import o200kRanks from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { encoderTokenCounter, estimatedTokenCounter } from '../src/index.js';
import { textSamples } from './text-samples.js';

const asText = { disallowedSpecial: new Set<string>() };
const estimate = (text: string): number => estimatedTokenCounter.count({ type: 'text', text });

const samples = Object.entries(textSamples);
/** Letters by chance are no text of any language, and an older encoding spends more on them. */
const running = samples.filter(([name]) => !/by chance|any|control|short|random/.test(name));

describe('the estimate', () => {
  it.each(samples)('of %s is not below the count of o200k_base', (_, text) => {
    expect(estimate(text)).toBeGreaterThanOrEqual(o200k.encode(text, asText).length);
  });

  it.each(running)('of %s is not below the count of cl100k_base', (_, text) => {
    expect(estimate(text)).toBeGreaterThanOrEqual(cl100k.encode(text, asText).length);
  });

  it.each(samples)('of %s grows with its length', (_, text) => {
    const [one, five] = [estimate(text), estimate(text.repeat(5))];
    expect(five).toBeGreaterThan(one * 4);
    expect(five).toBeLessThan(one * 6);
  });

  it.each(['English', 'TypeScript', 'Python', 'JSON', 'SQL', 'HTML', 'base64', 'UUIDs', 'times'])(
    'of %s is less than twice the count',
    (name) => {
      const text = textSamples[name] ?? '';
      expect(estimate(text)).toBeLessThan(o200k.encode(text, asText).length * 2);
    },
  );

  it('of nothing is nothing', () => {
    expect(estimate('')).toBe(0);
  });
});

describe('encoderTokenCounter with gpt-tokenizer', () => {
  const counter = encoderTokenCounter({ id: 'o200k_base', encoder: o200k });

  it.each(samples)('counts %s as the tokenizer does', (name, text) => {
    const tokens = counter.count({ type: 'text', text });
    const exact = o200k.encode(text, asText).length;
    // What looks like a special token is cut in two, so that no tokenizer refuses it or takes it for one.
    if (name === 'special tokens as text') expect(Math.abs(tokens - exact)).toBeLessThan(5);
    else expect(tokens).toBe(exact);
  });
});

it('encoderTokenCounter takes an encoding of js-tiktoken, and special tokens as text', () => {
  const encoder = new Tiktoken(o200kRanks);
  const counter = encoderTokenCounter({ id: 'o200k_base', encoder });
  const text = 'How do I get to Århus by train? 🚆';
  expect(counter.count({ type: 'text', text })).toBe(encoder.encode(text).length);
  const special = 'Say <|endoftext|> now.';
  expect(() => encoder.encode(special)).toThrow();
  expect(counter.count({ type: 'text', text: special })).toBeGreaterThan(8);
}, 30_000);
