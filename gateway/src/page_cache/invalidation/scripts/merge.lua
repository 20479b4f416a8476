-- Keys: head, hard, soft. Arguments: id, from, to, since, 1 to replace what does not fit,
-- lifetime in seconds, channel, message (or empty), then kind ('h' or 's'), sequence and tag of each
-- purge. Returns 0 if the replica does not reach up to `from`.
local head = redis.call('HMGET', KEYS[1], 'id', 'seq', 'since')
local whole = redis.call('ZSCORE', KEYS[2], '') and redis.call('ZSCORE', KEYS[3], '')
local from, to, since = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local seq = tonumber(head[2] or '0')
if whole and head[1] == ARGV[1] and seq >= from then
  since = math.max(since, tonumber(head[3] or '0'))
elseif ARGV[5] == '1' then
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
  seq = 0
else
  return 0
end
for i = 9, #ARGV, 3 do
  redis.call('ZADD', ARGV[i] == 'h' and KEYS[2] or KEYS[3], 'GT', ARGV[i + 1], ARGV[i + 2])
end
for i = 2, 3 do redis.call('ZADD', KEYS[i], '+inf', '') end
local text = string.format('%.0f', since)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', text)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', text)
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'since', text,
  'seq', string.format('%.0f', math.max(seq, to)))
for i = 1, 3 do redis.call('EXPIRE', KEYS[i], ARGV[6]) end
if ARGV[8] ~= '' and to > seq then redis.call('PUBLISH', ARGV[7], ARGV[8]) end
return 1
