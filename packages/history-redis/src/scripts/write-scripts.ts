import {
  addRecords,
  beginWrite,
  clock,
  endWrite,
  open,
  spread,
  touch,
  trim,
  writeMeta,
} from './parts.js';
import { redisScript } from './redis-script.js';

/** The layout that these scripts write. */
export const layout = 1;

/** What every write is made of. */
const writing = [clock, spread, touch, open, beginWrite, addRecords, trim, writeMeta, endWrite];

/**
 * Appends records: from ARGV[9] on id, group, '1' for a system record or '', and the packed record of each.
 * Answers as `endWrite` says, with the ids that were known.
 */
export const appendScript = redisScript(
  ...writing,
  `
local known = {}
for from = 9, created and 0 or #ARGV, 4000 do
  local asked = {}
  for at = from, math.min(from + 3996, #ARGV), 4 do asked[#asked + 1] = ARGV[at] end
  local there = redis.call('HMGET', KEYS[3], unpack(asked))
  local removed = redis.call('ZMSCORE', KEYS[6], unpack(asked))
  for at, id in ipairs(asked) do known[id] = there[at] or removed[at] end
end
local duplicates = {}
for at = 9, #ARGV, 4 do
  local id = ARGV[at]
  if known[id] then
    duplicates[#duplicates + 1] = id
  else
    known[id] = true
    sequence = sequence + 1
    add(text(sequence), id, ARGV[at + 1], ARGV[at + 2] ~= '', ARGV[at + 3])
  end
end
if #records == 0 then return {'ok', created and '0' or stored[2], '', '', duplicates} end
if sequence > 9007199254740991 then return {'full'} end
write_meta()
write()
trim()
local answer = end_write()
answer[5] = duplicates
return answer
`,
);

/**
 * Replaces all records: ARGV[9] is the version that must be there, and from ARGV[10] on come sequence or '',
 * id, group, '1' or '', and the packed record of each.
 */
export const replaceScript = redisScript(
  ...writing,
  `
local current = created and '0' or stored[2]
if ARGV[9] ~= current then return {'conflict', current} end
local wanted, wanted_ids = {}, {}
for at = 10, #ARGV, 5 do
  if ARGV[at] ~= '' then sequence = math.max(sequence, tonumber(ARGV[at])) end
  wanted[ARGV[at + 1]] = true
  wanted_ids[#wanted_ids + 1] = ARGV[at + 1]
end
newest = false
for at = 10, #ARGV, 5 do
  local place = ARGV[at]
  if place == '' then
    sequence = sequence + 1
    place = text(sequence)
  end
  add(place, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3] ~= '', ARGV[at + 4])
end
if sequence > 9007199254740991 then return {'full'} end
local gone = {}
local before = created and {} or redis.call('HGETALL', KEYS[3])
for at = 1, #before, 2 do
  if not wanted[before[at]] then
    gone[#gone + 1] = string.match(before[at + 1], '%d+')
    gone[#gone + 1] = before[at]
  end
end
write_meta()
redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4], KEYS[5])
spread('ZADD', KEYS[6], gone)
spread('ZREM', KEYS[6], wanted_ids)
write()
trim()
return end_write()
`,
);

/**
 * Forgets a history: ARGV[2] is the actor that it must belong to, or '' for any. Answers '1' when there was
 * one, and its actor.
 */
export const clearScript = redisScript(
  open,
  `
local actor = stored[4] or ''
if ARGV[2] ~= '' and ARGV[2] ~= actor then return {'ok', '', ''} end
redis.call('UNLINK', unpack(KEYS))
return {'ok', created and '' or '1', actor}
`,
);
