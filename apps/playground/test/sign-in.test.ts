import { inspect } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { SignIn, signInLink } from '../src/sign-in.js';

const minute = 60_000;

describe('signing in', () => {
  let now: number;
  let signIn: SignIn;
  beforeEach(() => {
    now = Date.parse('2026-05-01T10:00:00Z');
    signIn = new SignIn({ clock: () => new Date(now) });
  });
  const tokenOf = (code: string) => signIn.exchange(code)?.token ?? 'none';

  it('turns a code into a token once', () => {
    const code = signIn.issueCode();
    const granted = signIn.exchange(code);
    expect(granted?.token).toMatch(/^[\w-]{43}$/);
    expect(signIn.verify(granted?.token ?? '')).toBe(true);
    expect(signIn.exchange(code)).toBeUndefined();
  });

  it('gives nothing for a code that was never issued, or for a token', () => {
    const token = tokenOf(signIn.issueCode());
    for (const wrong of ['', 'guess', token, '__proto__']) {
      expect(signIn.exchange(wrong)).toBeUndefined();
      if (wrong !== token) expect(signIn.verify(wrong)).toBe(false);
    }
  });

  it('does not take a code for a token', () => {
    expect(signIn.verify(signIn.issueCode())).toBe(false);
  });

  it('lets a code end after ten minutes', () => {
    const [early, late] = [signIn.issueCode(), signIn.issueCode()];
    now += 10 * minute - 1;
    expect(signIn.exchange(early)).toBeDefined();
    now += 1;
    expect(signIn.exchange(late)).toBeUndefined();
  });

  it('keeps a token alive while it is used', () => {
    const token = tokenOf(signIn.issueCode());
    for (let used = 0; used < 5; used += 1) {
      now += 59 * minute;
      expect(signIn.verify(token)).toBe(true);
    }
    now += 60 * minute;
    expect(signIn.verify(token)).toBe(false);
    now -= 60 * minute;
    expect(signIn.verify(token)).toBe(false);
  });

  it('ends a token after twelve hours however much it is used', () => {
    const token = tokenOf(signIn.issueCode());
    for (let passed = 0; passed < 23; passed += 1) {
      now += 30 * minute;
      expect(signIn.verify(token)).toBe(true);
    }
    now += 30 * minute;
    expect(signIn.verify(token)).toBe(false);
  });

  it('ends a token by signing out', () => {
    const [mine, other] = [tokenOf(signIn.issueCode()), tokenOf(signIn.issueCode())];
    signIn.signOut(mine);
    expect([signIn.verify(mine), signIn.verify(other)]).toEqual([false, true]);
  });

  it('keeps codes of several links apart', () => {
    const codes = Array.from({ length: 4 }, () => signIn.issueCode());
    const tokens = codes.toReversed().map(tokenOf);
    expect(new Set([...codes, ...tokens]).size).toBe(8);
  });

  it('holds few at a time and drops the ones unused for longest', () => {
    const first = signIn.issueCode();
    for (let issued = 0; issued < 16; issued += 1) signIn.issueCode();
    expect(signIn.exchange(first)).toBeUndefined();

    const [used, unused] = [tokenOf(signIn.issueCode()), tokenOf(signIn.issueCode())];
    for (let tab = 0; tab < 63; tab += 1) {
      signIn.verify(used);
      tokenOf(signIn.issueCode());
    }
    expect([signIn.verify(used), signIn.verify(unused)]).toEqual([true, false]);
  });

  it('shows no secret to whoever prints it', () => {
    const code = signIn.issueCode();
    const token = tokenOf(signIn.issueCode());
    const printed = `${inspect(signIn, { depth: 9, showHidden: true })}${JSON.stringify(signIn)}`;
    expect(printed).not.toContain(code);
    expect(printed).not.toContain(token);
  });

  it('hands the code over where no server and no log sees it', () => {
    const link = new URL(signInLink('http://127.0.0.1:8787', 'abc'));
    expect([link.hash, link.search, link.pathname]).toEqual(['#code=abc', '', '/']);
  });
});
