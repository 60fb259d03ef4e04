/**
 * Parts of the scripts, in Lua 5.1 as Redis embeds it.
 *
 * The keys of a history come first: KEYS[1] meta, [2] records, [3] ids, [4] groups, [5] members, [6] removed.
 * A script that fails leaves nothing half done: it reads from every key before it writes (a wrong type fails
 * there), and its first write is one that a full or read-only server refuses.
 */

/** The time of the server, in microseconds and milliseconds, and whole numbers as text. */
export const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local millis = math.floor(now / 1000)
local function text(number) return string.format('%.0f', number) end
`;

/** Calls a command with many values, as many at a time as Lua can hand over. */
export const spread = `
local function spread(command, key, values, flag)
  for from = 1, #values, 1000 do
    local last = math.min(from + 999, #values)
    if flag then redis.call(command, key, flag, unpack(values, from, last))
    else redis.call(command, key, unpack(values, from, last)) end
  end
end
`;

/**
 * Puts a history into the index of its actor, with its deadline as the score, and takes out what has expired.
 * The index itself expires with the last of its histories.
 */
export const touch = `
local function touch(index, member, deadline)
  redis.call('ZADD', index, deadline and text(deadline) or 'inf', member)
  redis.call('ZREMRANGEBYSCORE', index, '-inf', '(' .. text(millis))
  local last = redis.call('ZRANGE', index, -1, -1, 'WITHSCORES')[2]
  if last == 'inf' then redis.call('PERSIST', index)
  elseif last then redis.call('PEXPIREAT', index, last) end
end
`;

/** Reads the meta of a history. ARGV[1] is the newest layout that is understood. */
export const open = `
local stored = redis.call('HMGET', KEYS[1], 'layout', 'version', 'sequence', 'actor', 'newest', 'deadline')
local created = not stored[1]
if not created and (tonumber(stored[1]) or 1/0) > tonumber(ARGV[1]) then return {'layout', stored[1]} end
`;

/**
 * What a write has to know: ARGV[2] ttl or '', [3] 'sliding' or 'fixed', [4] the most records or '',
 * [5] how many removed ids to remember, [6] actor or '', [7] the name in the index, [8] '1' when the index
 * was told just now. KEYS[7] is the index, where it can be part of the same step.
 *
 * A new life of a history counts on from the time of the server in microseconds: beyond all that an earlier
 * life, which never wrote a record in less than one, can have used.
 */
export const beginWrite = `
local actor = ARGV[6] ~= '' and ARGV[6] or stored[4]
local moved = actor and actor ~= stored[4]
if moved and not KEYS[7] and ARGV[8] == '' then return {'hint'} end
local version = created and now or tonumber(stored[2])
local sequence = created and now or tonumber(stored[3])
local newest = stored[5]
local deadline = false
if ARGV[2] ~= '' then
  deadline = millis + ARGV[2]
  local begun = ARGV[3] == 'fixed' and stored[6] and redis.call('ZCARD', KEYS[2]) > 0
  if begun then deadline = tonumber(stored[6]) end
end
for _, key in ipairs({KEYS[2], KEYS[4], KEYS[5], KEYS[6], KEYS[7]}) do redis.call('ZCARD', key) end
redis.call('HLEN', KEYS[3])
`;

/** Collects records that are to be written, and writes them. */
export const addRecords = `
local records, ids, groups, members = {}, {}, {}, {}
local function add(place, id, group, system, packed)
  local own = not system and group == id
  records[#records + 1] = place
  records[#records + 1] = place .. '\\0' .. packed
  ids[#ids + 1] = id
  ids[#ids + 1] = (own and '=' or '') .. place
  if system then return end
  groups[#groups + 1] = place
  groups[#groups + 1] = group
  newest = group
  if own then return end
  members[#members + 1] = '0'
  members[#members + 1] = group .. '\\0' .. place .. '\\0' .. id
end
local function write()
  spread('ZADD', KEYS[2], records)
  spread('HSET', KEYS[3], ids)
  spread('ZADD', KEYS[4], groups, 'NX')
  spread('ZADD', KEYS[5], members)
end
`;

/** Drops whole groups, oldest first but never the newest, while there are too many records. */
export const trim = `
local function drop(group)
  local removed, gone, count = {}, {}, 0
  local function take(place, id)
    removed[#removed + 1] = place
    removed[#removed + 1] = id
    gone[#gone + 1] = id
    count = count + redis.call('ZREMRANGEBYSCORE', KEYS[2], place, place)
  end
  local own = redis.call('HGET', KEYS[3], group)
  if own and string.sub(own, 1, 1) == '=' then take(string.sub(own, 2), group) end
  local others = redis.call('ZRANGEBYLEX', KEYS[5], '[' .. group .. '\\0', '(' .. group .. '\\1')
  for _, entry in ipairs(others) do
    take(string.match(string.sub(entry, #group + 2), '^(%d+)%z(.*)$'))
  end
  spread('ZADD', KEYS[6], removed)
  spread('HDEL', KEYS[3], gone)
  spread('ZREM', KEYS[5], others)
  redis.call('ZREM', KEYS[4], group)
  return count
end
local function trim()
  local excess = ARGV[4] == '' and 0 or redis.call('ZCARD', KEYS[2]) - ARGV[4]
  local skipped = 0
  while excess > 0 do
    local group = redis.call('ZRANGE', KEYS[4], skipped, skipped)[1]
    if not group then break end
    if group == newest then skipped = skipped + 1 else excess = excess - drop(group) end
  end
  redis.call('ZREMRANGEBYRANK', KEYS[6], 0, -1 - ARGV[5])
end
`;

/** Writes the meta, before all else, and clears away what a lost meta would have left. */
export const writeMeta = `
local function write_meta()
  version = version + 1
  redis.call('HSET', KEYS[1], 'layout', ARGV[1], 'version', text(version), 'sequence', text(sequence),
    'updated', text(now), 'newest', newest or '')
  if created then redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]) end
  if moved then redis.call('HSET', KEYS[1], 'actor', actor) end
  if deadline then redis.call('HSET', KEYS[1], 'deadline', text(deadline))
  elseif stored[6] then redis.call('HDEL', KEYS[1], 'deadline') end
end
`;

/**
 * Sets the one deadline of all keys, tells the index, and answers: version, the actor whose index has yet to
 * be told (or ''), and the deadline (or ''). Where the index is at hand it is told each time, which puts back
 * a name that somebody took out and did not live to put back.
 */
export const endWrite = `
local function end_write()
  for part = 1, 6 do
    if deadline then redis.call('PEXPIREAT', KEYS[part], text(deadline))
    elseif stored[6] then redis.call('PERSIST', KEYS[part]) end
  end
  local due = deadline and text(deadline) or ''
  local owed = ''
  if KEYS[7] then touch(KEYS[7], ARGV[7], deadline)
  elseif actor and (moved or due ~= (stored[6] or '')) then owed = actor end
  return {'ok', text(version), owed, due}
end
`;
