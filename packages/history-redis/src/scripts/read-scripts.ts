import { clock, open, touch } from './parts.js';
import { redisScript } from './redis-script.js';

/**
 * Counts a read as a write: ARGV[2] is the ttl, [3] the actor whose index KEYS[7] is, [4] the name in it.
 * Answers the actor whose index has yet to be told (or ''), and the deadline.
 */
export const refreshScript = redisScript(
  clock,
  touch,
  open,
  `
if created then return {'ok', '', ''} end
local deadline = millis + ARGV[2]
-- In this order a server that is full lets it through.
for part = 1, 6 do redis.call('PEXPIREAT', KEYS[part], text(deadline)) end
redis.call('HSET', KEYS[1], 'deadline', text(deadline))
local owed = stored[4] or ''
if KEYS[7] and owed == ARGV[3] then
  touch(KEYS[7], ARGV[4], deadline)
  owed = ''
end
return {'ok', owed, text(deadline)}
`,
);

/**
 * What a load reads, for a server that is full and then refuses transactions: ARGV[1] and [2] are the range
 * and the count of the records, and the ids to look up follow.
 */
export const readScript = redisScript(`
local replies = {
  redis.call('HMGET', KEYS[1], 'layout', 'version'),
  redis.call('ZREVRANGEBYSCORE', KEYS[2], ARGV[1], '-inf', 'LIMIT', 0, ARGV[2]),
}
if #ARGV == 2 then return replies end
local stored, removed = {}, {}
for at = 3, #ARGV do
  stored[#stored + 1] = redis.call('HGET', KEYS[3], ARGV[at])
  removed[#removed + 1] = redis.call('ZSCORE', KEYS[6], ARGV[at])
end
replies[3] = stored
replies[4] = removed
return replies
`);

/** Whose a history is, when it was written (microseconds), and when it is forgotten (milliseconds). */
export const ownerScript = redisScript(
  open,
  `return {'ok', stored[4] or '', redis.call('HGET', KEYS[1], 'updated') or '', stored[6] or ''}`,
);

/** Every name in the index of an actor, KEYS[1]. */
export const namesScript = redisScript("return redis.call('ZRANGE', KEYS[1], 0, -1)");

/** Takes names out of the index of an actor. */
export const forgetScript = redisScript("return redis.call('ZREM', KEYS[1], unpack(ARGV))");

/** Puts a name into the index: ARGV[1] name, [2] its deadline or '', [3] else its ttl or ''. */
export const touchScript = redisScript(
  clock,
  touch,
  `
local deadline = tonumber(ARGV[2]) or (ARGV[3] ~= '' and millis + ARGV[3])
touch(KEYS[1], ARGV[1], deadline)
return 'ok'
`,
);

/** The type of the value at a key. */
export const typeScript = redisScript("return redis.call('TYPE', KEYS[1])['ok']");
